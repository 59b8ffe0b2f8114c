// The trainings that are measured, alone and beside peers: a task, and the model that learns it.

/** A chain of 16 tokens, and the tiny language model: softmax attention with two heads. */
export const markov = {
  task: { kind: 'markov', vocabulary: 16, length: 32, seed: 0, sharpness: 2 },
  batch: 32,
  model: {
    vocabulary: 16,
    length: 32,
    layers: 2,
    dModel: 32,
    feedForward: 128,
    mixers: [{ heads: 2 }],
  },
};

/** MQAR, and the model of Zoology: a short convolution, then the mixer whose memory is tried. */
export const recall = (mixer) => ({
  task: { kind: 'recall', vocabulary: 128, length: 64, pairs: 8 },
  batch: 32,
  model: {
    vocabulary: 128,
    length: 64,
    dModel: 32,
    layers: 2,
    mixers: [{ id: 'short_conv', parameters: { add_input: 1 } }, mixer],
    positions: false,
    tied: true,
  },
});

export const recallWith = (featureMap) => recall({ id: 'linear', featureMap, dK: 16 });
