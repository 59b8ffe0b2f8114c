export const words = {
  recompute: {
    heading: 'A stack that runs again what it did not keep',
    segment: 'layers in a segment',
    layers: 'layers',
    length: 'tokens',
    lines: { counted: 'counted while it trains', formula: 'formula' },
    all: 'everything kept',
    x: 'layers in a segment',
    y: 'bytes kept at the peak',
    kept: 'kept at the peak',
    forwards: 'layers run forward',
    line: (segment: string, kept: string, all: string, forwards: string, layers: string) =>
      `Segments of ${segment} keep *${kept}* instead of ${all}, and run *${forwards} layers* forward instead of ${layers}.`,
    same: 'The loss after the step is the same to the last bit for every segment.',
    differs: 'The losses after the step differ between the segments.',
    columns: ['segment', 'kept_bytes', 'formula_bytes', 'layer_forwards', 'milliseconds', 'loss'],
    head: ['segment', 'kept', 'formula', 'layers forward', 'ms', 'loss'],
    everything: 'none',
    caption: (layers: number, length: number, batch: number, width: number) =>
      `One step of training of a softmax model of ${layers} layers, width ${width}, on ${batch} texts of ${length} tokens; counted is what all layers keep for their way back at once, float32. The last segment is kept, as its gradients are wanted at once.`,
  },
  which: {
    heading: 'Which to use when',
    n: 'tokens',
    runs: 'measurements',
    names: {
      plain: 'plain, all earlier keys',
      tiles: 'in tiles, the same numbers',
      window: 'window',
      sparse: 'window and stride',
      sinks: 'window and sinks',
      hierarchical: 'hierarchical: near keys and means',
      linear: 'linear, a state',
    },
    columns: ['attention', 'ms', 'peak', "reader's loss", 'output error'],
    none: '—',
    line: (fastest: string, smallest: string, best: string) =>
      `Fastest: *${fastest}*; least memory: *${smallest}*; least loss among those that are cheaper than plain: *${best}*.`,
    waiting: 'Nothing has been measured yet: a few seconds.',
    describe: (n: string, runs: number) => `${n} tokens, ${runs} measurements`,
    fastest: 'fastest, ms',
    caption: (n: string, d: number, window: number, runs: number, seed: number) =>
      `One causal head, n = ${n}, d = ${d}, N(0, 1), seed ${seed}. Window and pool of ${window}. Time: medians of ${runs} calls, what the page sends and gets included. Memory: counted. Error: of the output against plain, relative. Loss: of the trained reader, nats a token, on the text of “A fact, and its question”, where it can be run so without being trained anew; its window is ${window} of its 128 tokens.`,
    data: ['attention', 'milliseconds', 'peak_bytes', 'reader_loss', 'output_error'],
  },
};
export type TrainingWords = typeof words;
