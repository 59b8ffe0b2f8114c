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
   * The place in the result of each expected value; `''` is the whole result, and `*` each entry of a list. Without it,
   * values of the same name are compared.
   */
  readonly results?: Readonly<Record<string, string>>;
}

export interface Topic {
  /** The parameters that a case must have to be used. */
  readonly where?: Readonly<Record<string, string | number | boolean>>;
  readonly calls: readonly TopicCall[];
  /** This topic's names for names of the declarations. */
  readonly names?: Readonly<Record<string, string>>;
  /** Tensors are [heads, n, d] with one head: they are read as n×d. */
  readonly headsFirst?: boolean;
  /** Tensors that have a row for each channel, where the calls have one for each token. */
  readonly turned?: readonly string[];
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

const headScores = [
  ...['previous_token', 'current_token', 'first_token', 'duplicate_token', 'induction'],
  ...['match_mass', 'entropy', 'mean_distance', 'confidence'],
];

const rbf = { id: 'rbf', parameters: { gamma: '$gamma' } };

export const topics: Readonly<Record<string, Topic>> = {
  ...Object.fromEntries(
    ['delta_rule', 'gated_delta_rule', 'gated_linear_attention', 'simple_gla'].map((topic) => [
      topic,
      {
        where: { heads: 1, scaled_by_default: true },
        headsFirst: true,
        // A number for each token, or, in gated linear attention, a row.
        ...(topic !== 'gated_linear_attention' && { turned: ['beta', 'g'] }),
        names: {
          log_decay: 'g',
          d_log_decay: 'dg',
          d_beta: 'dbeta',
          chunk: 'suggested_chunk',
          l2_normalize: 'qk_l2norm',
          state: 'state_final',
        },
        ignored: ['scaled_by_default', 'keys', 'state_floats'],
        calls: ['matrix_state', 'matrix_state_backward'].map((call) => ({
          call,
          give: { write: topic.endsWith('delta_rule') ? 'delta' : 'add' },
        })),
      },
    ]),
  ),
  head_scores: {
    // This case has several texts too.
    where: { first_tokens: 5 },
    names: { weights: 'A', mask: 'causal' },
    ignored: ['heads', 'causal'],
    calls: [
      {
        call: 'head_scores',
        results: Object.fromEntries(
          headScores.flatMap((score) => [
            [score, `heads.*.scores.${score}`],
            [`uniform_${score}`, `uniform.${score}`],
          ]),
        ),
      },
      { call: 'head_variability', give: { first_tokens: 5 } },
    ],
  },
  head_distance: {
    where: { texts: 1 },
    names: { texts: 'A_0' },
    ignored: ['heads'],
    calls: [{ call: 'head_distances' }],
  },
  attention_rollout: {
    where: { layers: 2 },
    names: { layers: 'A' },
    ignored: ['heads'],
    calls: [{ call: 'attention_rollout' }, { call: 'attention_flow' }],
  },
  head_importance: {
    where: { kind: 'heads_given', examples: 1 },
    ignored: ['heads'],
    calls: [
      { call: 'head_importance' },
      {
        call: 'ablated_heads',
        results: { out: '0.output', out_zero: '0.zero', out_mean: '0.mean' },
      },
    ],
  },
  gqa_from_mha: {
    where: { kv_heads: 2 },
    ignored: ['heads', 'd_head', 'cache_numbers_per_token'],
    calls: [
      {
        call: 'group_heads',
        // The case says how many there are to be.
        give: { weights: { kv_heads: '$heads' } },
        results: {
          Wk_pooled: 'weights.Wk',
          Wv_pooled: 'weights.Wv',
          bk_pooled: 'weights.bk',
          bv_pooled: 'weights.bv',
          out_mha: 'before',
          out_gqa: 'after',
          weights_gqa: 'attention',
          relative_change: 'relative_change',
        },
      },
    ],
  },
  norm_based: {
    names: { weights: 'A' },
    ignored: ['heads', 'd_out'],
    calls: [{ call: 'norm_weighted_attention' }],
  },
  qk_symmetry: {
    where: { heads: 4 },
    ignored: ['d_head'],
    calls: [{ call: 'qk_symmetry' }],
  },
  rwkv_wkv: {
    where: { w_from: 'w=-exp(time_decay)' },
    names: { K: 'k', V: 'v', dO: 'gy', dK: 'dk', dV: 'dv' },
    ignored: ['T', 'C', 'w_from', 'state_floats'],
    calls: [{ call: 'wkv', results: { y: '' } }, { call: 'wkv_backward' }],
  },
  alibi_rope_cache: {
    where: { kind: 'sinks', sinks: 2, window: 3 },
    headsFirst: true,
    ignored: ['style'],
    calls: [
      ...['rotaryByPlace', 'rotaryInText'].flatMap((positions, i) => [
        { call: 'position_cache_make', give: { handle: i + 1, positions } },
        {
          call: 'position_cache_decode',
          give: { handle: i + 1 },
          results: { [i === 0 ? 'out_by_place' : 'out_stored_rotated']: 'output' },
        },
        { call: 'position_cache_delete', give: { handle: i + 1 } },
      ]),
    ],
    native: ['place', 'cache_len'],
  },
  block_topk: {
    names: { top_k: 'topk' },
    ignored: ['heads'],
    calls: [{ call: 'block_attention' }],
  },
  dilated_attention: {
    where: { offset_rule: 'mod' },
    ignored: ['heads', 'offsets'],
    calls: [{ call: 'dilated_attention' }],
  },
  flash_io: {
    // Not that of a norm.
    names: { gain: 'gain' },
    calls: [{ call: 'flash_io' }],
  },
  checkpointing: {
    where: { last_segment_kept: true },
    calls: [{ call: 'checkpoint_plan' }],
  },
  paged_cache: {
    names: { operations: 'ops' },
    calls: [{ call: 'paged_trace' }],
  },
  pattern_reach: {
    where: { kind: 'strided' },
    ignored: ['mask'],
    calls: [
      {
        call: 'pattern_reach',
        give: { m: '$n', pattern: { id: 'strided', parameters: { stride: '$stride' } } },
      },
    ],
  },
  quantized_cache: {
    where: { scheme: 'asymmetric', axis: 'channel' },
    names: { x: 'X', scales: 'scale', minima: 'min' },
    calls: [{ call: 'quantize', give: { zero_point: true, axis: 'column' } }],
  },
  speculative: {
    where: { kind: 'chain' },
    ignored: ['vocab', 'runs'],
    calls: [{ call: 'speculative_chain' }],
  },
  attention_sinks: {
    where: { heads: 1, sinks: 2 },
    headsFirst: true,
    ignored: ['kv_heads', 'rope', 'official_call', 'start_size', 'recent_size', 'max_keys'],
    calls: [{ call: 'sink_attention' }],
    native: ['mask', 'cache_len'],
  },
  hyena_longconv: {
    where: { channels: 3 },
    turned: ['u', 'k', 'dy', 'y', 'du', 'dk'],
    names: {
      X: 'u',
      filter: 'k',
      through: 'D',
      dO: 'dy',
      dX: 'du',
      d_filter: 'dk',
      d_through: 'dD',
    },
    ignored: ['channels'],
    calls: [
      { call: 'long_convolution', results: { y: '' } },
      { call: 'long_convolution_backward' },
    ],
  },
  mamba_selective_scan: {
    where: { delta_softplus: false },
    turned: ['u', 'delta', 'B', 'C', 'dy', 'y', 'du', 'ddelta', 'dB', 'dC'],
    names: { softplus: 'delta_softplus', dO: 'dy' },
    ignored: ['N', 'gate_z', 'state_floats'],
    calls: [
      { call: 'selective_scan', results: { y: 'output', last_state: 'state' } },
      {
        call: 'selective_scan_backward',
        results: { du: 'u', ddelta: 'delta', dA: 'A', dB: 'B', dC: 'C' },
      },
    ],
  },
  mla: {
    where: { q_lora_rank: 0 },
    names: {
      X: 'x',
      nope: 'qk_nope_head_dim',
      rope: 'qk_rope_head_dim',
      q: 'wq_weight',
      kv_down: 'wkv_a_weight',
      kv_norm: 'kv_norm_weight',
      kv_up: 'wkv_b_weight',
      epsilon: 'rms_eps',
      latent: 'c_kv',
      rotated_key: 'k_rope',
    },
    ignored: [
      ...['kv_lora_rank', 'v_head_dim', 'scale', 'causal', 'rope_style', 'yarn'],
      ...['cache_floats_per_token', 'cache_floats_per_token_mha'],
    ],
    calls: [{ call: 'latent_attention', give: { weights: { out: '$wo_weight' } } }],
    native: ['inv_freq'],
  },
  mqar_data: {
    ignored: ['vocab', 'seq_len', 'random_non_queries', 'power_a'],
    names: { pairs: 'num_kv' },
    calls: [{ call: 'recall_answers', give: { batch: 4 }, results: { labels: '' } }],
  },
  nn_primitives: {
    names: { X: 'x', weight: 'w', bias: 'b', dY: 'dy', dX: 'dx', d_weight: 'dw', d_bias: 'db' },
    calls: [{ call: 'layer_norm', results: { y: '' } }, { call: 'layer_norm_backward' }],
  },
  positions: {
    where: { kind: 'rope', heads: 1, style: 'half' },
    headsFirst: true,
    names: { width: 'rotary_dim' },
    calls: [
      { call: 'rotate', results: { out: '' } },
      { call: 'rotate_backward', results: { dX: '' } },
      { call: 'rotary_table' },
    ],
  },
  retnet: {
    where: { embed: 8 },
    names: {
      X: 'x',
      ...Object.fromEntries(['q', 'k', 'v', 'out'].map((part) => [part, `${part}_proj_weight`])),
      gate: 'g_proj_weight',
    },
    ignored: ['value_dim', 'max_abs_diff_between_forms'],
    calls: ['Parallel', 'Recurrent', 'Chunked'].map((form) => ({
      call: 'retention_layer',
      give: { form: form.toLowerCase() },
      results: { [`out_${form === 'Chunked' ? 'chunkwise' : form.toLowerCase()}`]: 'output' },
    })),
    native: ['decay_mask', 'sin', 'cos'],
  },
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
  gp_dkl: {
    names: {
      signal_variance: 'sf2',
      noise_variance: 'sn2',
      log_marginal_likelihood: 'lml',
      d_log: 'dlml_dlog',
    },
    calls: [{ call: 'rbf_process' }],
    // The vectors add the noise to the diagonal of the covariance.
    native: ['cov_with_noise'],
  },
  gqa_mqa: {
    calls: [{ call: 'grouped_query_attention' }],
    // The vectors give the two sides of a window; the first case has no window.
    ignored: ['window', 'kv_cache_bytes_fp32'],
  },
  kernels: {
    where: { kernel: 'rbf' },
    calls: [
      {
        call: 'kernel_gram',
        give: { kernel: { id: 'rbf', parameters: { gamma: '$gamma' } }, Y: '$X' },
        results: { K_XX: '' },
      },
      {
        call: 'kernel_gram',
        give: { kernel: { id: 'rbf', parameters: { gamma: '$gamma' } } },
        results: { K_XY: '' },
      },
      {
        call: 'check_definiteness',
        give: { kernel: { id: 'rbf', parameters: { gamma: '$gamma' } } },
        results: { eigvals: 'eigenvalues', psd: 'positive_semidefinite' },
      },
    ],
    ignored: ['kernel', 'coef0', 'degree'],
  },
  kernel_ridge: {
    where: { kernel: 'rbf' },
    names: {
      alpha: 'dual_coef',
      fitted: 'pred_train',
      predictions: 'pred_Z',
      norm_squared: 'rkhs_norm2',
      objective: 'objective_seed',
    },
    calls: [
      {
        call: 'kernel_ridge',
        give: { kernel: rbf, lambda: '$alpha', scaling: 'sum' },
        results: { dual_coef: 'alpha', pred_Z: 'predictions' },
      },
      { call: 'kernel_ridge', give: { kernel: rbf, lambda: '$lambda_seed', scaling: 'mean' } },
    ],
    // Of other kernels.
    ignored: ['degree', 'coef0'],
  },
  kernel_svm: {
    where: { kernel: 'rbf' },
    names: {
      coefficients: 'alpha_y',
      bias: 'intercept',
      decision: 'decision_train',
      predictions: 'decision_Z',
      support_vectors: 'n_support',
      accuracy: 'train_accuracy',
    },
    calls: [{ call: 'support_vector_classification', give: { kernel: rbf, tolerance: 1e-5 } }],
    ignored: ['degree', 'coef0'],
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
  ntk: {
    calls: [
      {
        call: 'neural_tangent_kernel',
        give: { Y: '$X', layers: '$relu_layers', bias_std: 0.1 },
        results: { nt_nngp_Wstd_sqrt2_b0p1: 'nngp', nt_ntk_Wstd_sqrt2_b0p1: 'ntk' },
      },
      {
        call: 'neural_tangent_kernel',
        give: { Y: '$X', layers: '$relu_layers', weight_std: 1, scale_inputs: false },
        results: { ntk_last_layer_only_nngp: 'nngp', ntk_leoyu: 'ntk' },
      },
    ],
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
  random_features_rbf: {
    where: { D: 32 },
    calls: [
      { call: 'random_fourier_features', results: { Z: '' } },
      {
        call: 'kernel_gram',
        give: { kernel: { id: 'linear' }, X: '$random_fourier_features' },
        results: { K_approx: '' },
      },
      {
        call: 'kernel_gram',
        give: { kernel: { id: 'rbf', parameters: { gamma: '$gamma' } } },
        results: { K_exact: '' },
      },
      {
        call: 'fourier_variance',
        give: { kernel: { id: 'rbf', parameters: { gamma: '$gamma' } } },
        results: { var_offset_single: 'offset', var_paired_single: 'paired' },
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
