/**
 * What the module `exercise` of the scratch sheet is made of. Its classes, which the text of day 42 imports, hold
 * matrices and cut batches and heads (`course/exercise.py`); everything that they compute is a function that an
 * exercise asks for. The student's own is taken where it has passed, and ours where it has not.
 */

/** The functions by name, and the exercise that asks for each. */
export const partExercises = {
  multi_head_attention: 'multi-head-attention',
  masked_softmax: 'masked-rows',
  local_mask: 'local-mask',
  strided_mask: 'strided-mask',
  random_sparse: 'random-sparse',
  kv_cache_step: 'kv-cache-step',
  kv_cache: 'kv-cache',
  cross_attention_module: 'cross-attention-module',
  sparse_attention_gather: 'sparse-attention-gather',
  sliding_window_attention: 'sliding-window',
} as const;

export type PartName = keyof typeof partExercises;
export const partNames = Object.keys(partExercises) as readonly PartName[];

/** The preset of the scratch sheet that computes with a function; tests/numpy/snippets/day-42.test.ts runs each. */
export const sheetOf = {
  multi_head_attention: 'day42basic',
  masked_softmax: 'day42sparse',
  local_mask: 'day42sparse',
  kv_cache_step: 'day42cache',
  kv_cache: 'day42cache',
} as const satisfies Partial<Record<PartName, string>>;

/** Code of the student's, by exercise. Only code whose tests have passed as it stands belongs here. */
export type OwnCode = Readonly<Record<string, string>>;

/**
 * The modules of one run: the table that `course/exercise.py` reads, and the student's files beside it. Each file is a
 * module of its own, so that helpers of the same name do not meet.
 *
 * @param onlyOwn whether ours stay away; a name that is not the student's then says which exercise fills it
 */
export function exerciseModules(own: OwnCode, onlyOwn = false): Record<string, string> {
  const modules: Record<string, string> = {};
  const rows = partNames.map((name) => {
    const id = partExercises[name];
    const code = Object.hasOwn(own, id) ? own[id] : undefined;
    if (code !== undefined) modules[`yours_${name}`] = code;
    const module = code !== undefined ? `"yours_${name}"` : onlyOwn ? 'None' : `"ours_${name}"`;
    return `    "${name}": (${module}, "${id}"),\n`;
  });
  modules.exercise_parts = `parts = {\n${rows.join('')}}\n`;
  return modules;
}

/** Our functions, from the Python solutions of the exercises. */
export function ourParts(solutions: OwnCode): Record<string, string> {
  const found = partNames.flatMap((name) => {
    const code = solutions[partExercises[name]];
    return code === undefined ? [] : [[`ours_${name}`, code] as const];
  });
  return Object.fromEntries(found);
}
