// One step of training, forward, backward and AdamW: our core beside tfjs on its wasm backend.
//
// Before anything is timed, all train from the same parameters on the same batches, and have to agree. That is
// what says that they train the same model: a graph that differed anywhere would differ in its first loss or in
// the gradient by some parameter, and another update in the losses after it.
import { agreeing, agreement, how, beside as models, tolerances } from '../trainings.mjs';
import { measure, warmUp } from './measure.mjs';
import { clients } from './ours.mjs';
import { forms, trainer } from './tfjs-train.mjs';

export const names = Object.keys(models);

const adamw = { ...how, cosine: false, warmUp: 0, clip: 0, steps: 1e6, seed: 0 };

/** The stream from which the core's trainer draws the batch of a step (core/src/models/trainer.cpp). */
const streamOf = (step) => 2 ** 32 + step;

let handles = 0;

/**
 * Our trainer, asked as the page asks it: a call works on for some time, slice by slice. The page's calls take 20 ms,
 * which is several steps; here each ends with a step.
 */
function ours(core, { task, model, batch }, file) {
  handles += 1;
  const handle = handles;
  core.languageModelMake({ handle, ...model, file });
  const { slice } = core.languageModelStart({ handle, task, batch, ...adamw });
  let until = 0;
  return {
    slices: Math.ceil(batch / slice),
    step() {
      until += 1;
      const { points } = core.languageModelAdvance({ handle, milliseconds: 1000, until });
      return { loss: points[0].loss };
    },
    norms() {
      const all = core.languageModelGradientQuantiles({ handle, probabilities: [] });
      return Object.fromEntries(all.map(({ name, norm }) => [name, norm]));
    },
    dispose: () => core.languageModelDelete({ handle }),
  };
}

/** The parameters with which all begin: of the core, as a file and by name. */
function beginning(core, model) {
  handles += 1;
  const handle = handles;
  const info = core.languageModelMake({ handle, ...model, seed: 0 });
  const parameters = Object.fromEntries(
    info.tensors.map(({ name }) => {
      const { rows, cols, data } = core.languageModelParameter({ handle, name });
      return [name, { rows, cols, data: Float32Array.from(data) }];
    }),
  );
  const file = core.languageModelSave({ handle }).slice();
  core.languageModelDelete({ handle });
  return { parameters, file, count: info.parameters };
}

/** Trains all on the same batches; says by how much each differs from the first, our plain build. */
function compare(contenders, batches) {
  const traces = contenders.map(({ steps }) => {
    const losses = [];
    let norms;
    batches.forEach((batch, i) => {
      const { loss, norms: found } = steps.step(batch, i === 0);
      losses.push(loss);
      if (i === 0) norms = found ?? steps.norms();
    });
    return { losses, norms };
  });
  const [wanted] = traces;
  return traces.map((seen) => agreement(seen, wanted));
}

/** One model: all contenders are compared, warmed up and measured in turns. */
export async function run(name, options) {
  const one = models[name];
  const { task, model, batch } = one;
  const builds = Object.keys(clients).sort((a) => (a === 'simd' ? -1 : 1));
  const core = clients[builds[0]];
  const start = beginning(core, model);
  const contenders = [
    ...builds.map((build) => ({
      peer: `ours ${build}`,
      variant: 'client call',
      steps: ours(clients[build], one, start.file),
    })),
    ...Object.entries(forms).map(([variant, form]) => ({
      peer: 'tfjs',
      variant,
      steps: trainer(form, model, start.parameters, batch, how),
    })),
  ];
  for (const { variant, steps } of contenders) {
    if ((steps.parameters ?? start.count) !== start.count) {
      throw new Error(`${variant}: ${steps.parameters} parameters instead of ${start.count}`);
    }
  }
  const drawn = Array.from({ length: agreeing }, (_, i) => {
    const { tokens, targets } = core.drawBatch({ task, batch, seed: 0, stream: streamOf(i) });
    return { tokens: Int32Array.from(tokens), targets: Int32Array.from(targets) };
  });
  const compared = compare(contenders, drawn);
  const ready = contenders.filter((_, i) => compared[i].agrees);
  // Ours draws a batch in every step; tfjs is given those that are drawn already.
  const runners = ready.map(({ steps }) => {
    let next = 0;
    return () => {
      steps.step(drawn[next % drawn.length]);
      next += 1;
    };
  });
  for (const runner of runners) await warmUp(runner, options.warmMilliseconds);
  const measured = await measure(runners, options);
  const found = contenders.map(({ peer, variant, steps }, i) => ({
    peer,
    variant,
    ...compared[i],
    slices: steps.slices,
    ...measured[ready.findIndex((each) => each.steps === steps)],
  }));
  for (const { steps } of contenders) steps.dispose();
  const tokens = batch * model.length;
  return {
    ...{ name, title: one.title, parameters: start.count, tokens, agreeing },
    ...{ tolerances, contenders: found },
  };
}
