/** The bytes of arrays.wasm, or what was compiled from them. */
export type WasmSource = WebAssembly.Module | ArrayBuffer | Uint8Array;

/** What wasm/src/arrays/ exports: numbers in, numbers out. */
type Call =
  | 'add_counts'
  | 'alias'
  | 'allclose'
  | 'apply_at'
  | 'arange'
  | 'arg_reduce'
  | 'argsort'
  | 'array_equal'
  | 'array_text'
  | 'astype'
  | 'binary'
  | 'binary_scalar'
  | 'bincount'
  | 'broadcast_shapes'
  | 'broadcast_to'
  | 'cholesky'
  | 'clip'
  | 'compare'
  | 'concatenate'
  | 'copy'
  | 'corrcoef'
  | 'counts'
  | 'cov'
  | 'cumulative'
  | 'data'
  | 'det'
  | 'diag'
  | 'diagonal'
  | 'diff'
  | 'dot'
  | 'eigh'
  | 'eigvalsh'
  | 'einsum'
  | 'error_message'
  | 'error_type'
  | 'expand_dims'
  | 'eye'
  | 'failed'
  | 'flip'
  | 'free_array'
  | 'full'
  | 'generator'
  | 'get1'
  | 'get2'
  | 'get_n'
  | 'in_place'
  | 'in_place_scalar'
  | 'index'
  | 'info'
  | 'inv'
  | 'isclose'
  | 'item'
  | 'linspace'
  | 'live_bytes'
  | 'live_handles'
  | 'lstsq'
  | 'mark'
  | 'matmul'
  | 'names'
  | 'matrix_rank'
  | 'median'
  | 'memory_limit'
  | 'nan_to_num'
  | 'nonzero'
  | 'norm'
  | 'outer'
  | 'peak_bytes'
  | 'percentile'
  | 'pinv'
  | 'put_along_axis'
  | 'qr'
  | 'quantile'
  | 'random_choice'
  | 'random_draw'
  | 'random_integers'
  | 'random_permutation'
  | 'random_permuted'
  | 'random_seed'
  | 'random_shuffle'
  | 'random_state'
  | 'read'
  | 'read_size'
  | 'reduce'
  | 'reduce_all'
  | 'release'
  | 'repeat'
  | 'repeat_each'
  | 'reset_counts'
  | 'reset_peak'
  | 'reshape'
  | 'result_type'
  | 'roll'
  | 'round'
  | 'scratch'
  | 'searchsorted'
  | 'set_index'
  | 'set_index_scalar'
  | 'set_memory_limit'
  | 'set_n'
  | 'shares_memory'
  | 'singular_values'
  | 'slogdet'
  | 'solve'
  | 'sort'
  | 'squeeze'
  | 'stack'
  | 'svd'
  | 'swapaxes'
  | 'take'
  | 'take_along_axis'
  | 'tile'
  | 'trace'
  | 'transpose'
  | 'tri'
  | 'tril'
  | 'triu'
  | 'unary'
  | 'unique'
  | 'where';
export type Exports = { readonly memory: WebAssembly.Memory } & Readonly<
  Record<Call, (...numbers: number[]) => number>
>;

/** Without Emscripten's glue, which is an ES module and does not load in a worker made of text. */
export async function instantiate(source: WasmSource): Promise<Exports> {
  const module =
    source instanceof WebAssembly.Module
      ? source
      : await WebAssembly.compile(source as BufferSource);
  // The C library asks for a way to end the program and to write to a terminal; neither happens.
  const refuse = () => {
    throw new Error('arrays.wasm asked the system for something');
  };
  const imports: WebAssembly.Imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = name === 'emscripten_notify_memory_growth' ? () => {} : refuse;
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  (exports._initialize as (() => void) | undefined)?.();
  return exports as unknown as Exports;
}
