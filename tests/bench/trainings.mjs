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

/** The two trainings that are measured beside peers: issue 16, point 7. */
export const beside = {
  markov: { title: 'tiny LM: d = 32, h = 2, n = 32, batch 32, V = 16', ...markov },
  recall: {
    title: 'MQAR: d = 32, Taylor d_k = 16, n = 64, batch 32, V = 128',
    ...recallWith('taylor'),
  },
};

/**
 * A constant rate, low enough to train for the thousands of steps that are measured. Neither side clips, because
 * tfjs's optimisers do not.
 */
export const how = { learningRate: 0.003, weightDecay: 0.1 };
/** Steps that have to agree. */
export const agreeing = 20;
export const tolerances = {
  /**
   * In nats. A loss is made of some thousand float32 terms, which all sides add in other orders: the first ones are
   * 1e-6 apart. Updates enlarge that, because they divide each gradient by its own size, but after 20 steps the losses
   * were still within 5e-6. Leaving out the decay of a table of embeddings, the smallest error that was tried, makes
   * 1e-4.
   */
  loss: 5e-5,
  /**
   * Of the norm of the gradient by a parameter, or of a thousandth of the largest norm where that is more. Rounding
   * made 1e-6; an error function whose argument is 1 % off made 2e-3.
   */
  norm: 1e-4,
};

/** The largest difference of norms, as a share of the norm, or of a thousandth of the largest. */
function normDifference(seen, wanted) {
  const floor = Math.max(...Object.values(wanted)) / 1000;
  const shares = Object.entries(wanted).map(
    ([name, norm]) => Math.abs(seen[name] - norm) / Math.max(norm, floor),
  );
  return Math.max(...shares);
}

/**
 * By how much one training differs from another of the same parameters, batches and updates.
 * @param seen,wanted {losses, norms}: the loss before each step, and the norms of the first gradients by parameter
 */
export function agreement(seen, wanted) {
  const differences = seen.losses.map((loss, i) => Math.abs(loss - wanted.losses[i]));
  const made = {
    first: seen.losses[0],
    last: seen.losses.at(-1),
    firstDifference: differences[0],
    lossDifference: Math.max(...differences),
    normDifference: normDifference(seen.norms, wanted.norms),
  };
  // Written so that a NaN does not agree.
  const agrees = made.lossDifference <= tolerances.loss && made.normDifference <= tolerances.norm;
  return { ...made, agrees };
}
