/**
 * The names of the golden files that differ from those of the declarations. Names that are the same in both are not
 * listed: an argument takes the parameter or input of its name, and a member of a result is compared with the
 * expected value of its name. Names are those of C++, as in the declarations.
 */

/** A constant, or `$name` for a parameter or input of the case and `$call.path` for an earlier result. */
export type Given = string | number | boolean | { readonly [name: string]: Given };

export interface TopicCall {
  readonly call: string;
  /** Arguments without a value of the same name in the case. */
  readonly give?: { readonly [argument: string]: Given };
  /**
   * The place in the result of each expected value; `''` is the whole result. Without it, values of the same name are
   * compared.
   */
  readonly results?: Readonly<Record<string, string>>;
}

export interface Topic {
  /** The parameters that a case must have to be used. */
  readonly where?: Readonly<Record<string, string | number | boolean>>;
  readonly calls: readonly TopicCall[];
  /** This topic's names for names of the declarations. */
  readonly names?: Readonly<Record<string, string>>;
  /** Parameters that no call takes, in addition to `remarks`. */
  readonly ignored?: readonly string[];
  /** Expected values that only the runner in C++ compares. */
  readonly native?: readonly string[];
}

/** Parameters of all topics that repeat what the inputs show, or are remarks. */
export const remarks = new Set(
  'n m d d_k d_v dv D L S embed d_model features layout note'.split(' '),
);

/** Names that several topics share, by the names in the declarations. */
export const names: Readonly<Record<string, string>> = {
  output: 'out',
  log_sum_exp: 'lse',
  epsilon: 'eps',
  key_tile: 'Bc',
  projection: 'W',
  bias: 'b',
  gain: 'gamma',
  shift: 'beta',
};

const projections = Object.fromEntries(
  ['q', 'k', 'v'].flatMap((part) => [
    [`W${part}`, `${part}_proj_weight`],
    [`b${part}`, `${part}_proj_bias`],
  ]),
);

const performerMap = {
  id: 'softmax_kernel',
  parameters: { stabilize: 1, epsilon: '$feature_eps' },
};

export const topics: Readonly<Record<string, Topic>> = {
  attention_dropout: {
    names: { probability: 'p', keep: 'keep_mask', weights: 'weights_before_dropout' },
    calls: [{ call: 'attention_with_dropout' }, { call: 'attention_backward' }],
  },
  attention_grad: {
    names: { d_bias: 'dS', row_dots: 'D_rowsum_dO_O' },
    calls: [{ call: 'attention' }, { call: 'attention_backward', give: { forward: '$attention' } }],
  },
  complexity: {
    names: { d_k: 'dk', d_v: 'dv', length: 'L' },
    calls: [
      {
        call: 'cost_of',
        give: { mechanism: 'standard', shape: { m: '$n' } },
        results: { macs_softmax: 'multiply_adds' },
      },
      {
        call: 'cost_of',
        give: { mechanism: 'causal_kept', shape: { m: '$n' } },
        results: { macs_softmax_causal: 'multiply_adds' },
      },
      {
        call: 'linear_multiply_adds',
        give: { normalize: false },
        results: { macs_linear: '' },
      },
      {
        call: 'linear_multiply_adds',
        give: { normalize: true },
        results: { macs_linear_with_normaliser: '' },
      },
      ...Object.entries({
        mha: 'attention',
        sliding: 'slidingWindow',
        linear: 'linear',
        mamba: 'mamba',
        hyena: 'hyena',
      }).map(([name, kind]) => ({
        call: 'state_floats',
        give: { kind, heads: 1, kernel: 3 },
        results: { [`state_${name}`]: '' },
      })),
      {
        call: 'taylor_dimension',
        give: { d: '$dk', compact: false },
        results: { taylor_D_full: '' },
      },
      {
        call: 'taylor_dimension',
        give: { d: '$dk', compact: true },
        results: { taylor_D_compact: '' },
      },
    ],
    // The vectors count bytes, four for each number, and their band is one narrower than ours.
    native: ['scores_bytes_fp32', 'band_nnz'],
  },
  cosformer: {
    names: { X: 'x', Wo: 'out_proj_weight', bo: 'out_proj_bias', ...projections },
    calls: [
      {
        call: 'multi_head_linear_attention',
        give: { feature_map: { id: 'cosformer' }, denominator: 'clamp' },
      },
    ],
  },
  feature_maps: {
    // This case's map has the most settings besides its id: parameters, a gain and a shift.
    where: { map: 'rebased' },
    calls: [{ call: 'apply_feature_map', results: { phi: '' } }],
  },
  flash_online_softmax: {
    where: { causal_bottom_right: false },
    names: { running_max: 'm_run', running_sum: 'l_run' },
    calls: [
      { call: 'flash_attention', give: { trace: true } },
      { call: 'flash_attention_backward', give: { forward: '$flash_attention' } },
    ],
  },
  gqa_mqa: {
    calls: [{ call: 'grouped_query_attention' }],
    // The vectors give the two sides of a window; the first case has no window.
    ignored: ['window', 'kv_cache_bytes_fp32'],
  },
  kv_cache: {
    calls: [
      { call: 'kv_cache_make', give: { handle: 1, capacity: '$n', kv_heads: '$heads' } },
      { call: 'kv_cache_decode', give: { handle: 1 } },
      { call: 'kv_cache_delete', give: { handle: 1 } },
    ],
    native: ['cache_floats_after_each_step'],
  },
  linear_attention: {
    where: { causal: true, heads: 1 },
    names: { chunk: 'suggested_chunk', s: 'state_S_final', z: 'state_z_final' },
    calls: [
      { call: 'linear_attention' },
      {
        call: 'linear_attention',
        give: { normalize: false },
        results: { out_unnormalised: 'output' },
      },
      {
        call: 'linear_attention_backward',
        results: { dQ: 'Q', dK: 'K', dV: 'V' },
      },
    ],
    native: ['state_S_mid', 'mid_index'],
  },
  multihead: {
    where: { self_attention: true },
    calls: [{ call: 'multi_head_attention' }],
    ignored: ['key_padding_last'],
  },
  performer: {
    names: { epsilon: 'denominator_eps' },
    calls: [
      {
        call: 'linear_attention',
        give: { feature_map: performerMap, denominator: 'addToKeySum' },
      },
      {
        call: 'apply_feature_map',
        give: { x: '$Q', role: 'query', feature_map: performerMap },
        results: { phi_q: '' },
      },
      {
        call: 'apply_feature_map',
        give: { x: '$K', role: 'key', feature_map: performerMap },
        results: { phi_k: '' },
      },
    ],
  },
  scaling_statistics: {
    where: { scaled: false },
    calls: [
      {
        call: 'scaling_experiment',
        give: { seed: 1706, gradients: false },
        results: {
          mean_row_max: 'cells.0.row_max.mean',
          mean_entropy: 'cells.0.entropy.mean',
          mean_jacobian_fro: 'cells.0.jacobian_norm.mean',
        },
      },
    ],
    ignored: ['statistical'],
    native: ['mean_row_max_stderr', 'mean_entropy_stderr', 'mean_jacobian_fro_stderr'],
  },
  softmax_attention: {
    calls: [{ call: 'attention' }],
    ignored: ['scaled_by_default'],
    // These values exist in the core only; no call returns them.
    native: ['lse_valid', 'row_entropy', 'row_max'],
  },
  softmax_jacobian: {
    calls: [
      { call: 'softmax', results: { p: 'weights', logsumexp: 'log_sum_exp' } },
      { call: 'softmax_jacobian', give: { p: '$softmax.weights' }, results: { J: '' } },
      { call: 'softmax_jacobian_norm', give: { p: '$softmax.weights' }, results: { fro: '' } },
      { call: 'entropy', give: { p: '$softmax.weights' }, results: { entropy: '' } },
    ],
  },
  sparse_attention: {
    where: { kind: 'longformer' },
    calls: [
      {
        call: 'sparse_attention',
        give: { pattern: { id: 'longformer', parameters: { w: '$w' } } },
      },
      {
        call: 'pattern_matrix',
        give: { pattern: { id: 'longformer', parameters: { w: '$w' } } },
        results: { mask: '' },
      },
    ],
    ignored: ['nnz'],
  },
};
