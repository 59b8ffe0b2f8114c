// Calls of attn/attention: softmax attention, what is learnt through it, and what sees what.

#include "attn/attention/attention.hpp"

#include "../handles.hpp"
#include "../patterns.hpp"
#include "attn/attention/attention_stages.hpp"
#include "attn/attention/attention_variants.hpp"
#include "attn/attention/batched_attention.hpp"
#include "attn/attention/block_attention.hpp"
#include "attn/attention/dilated_attention.hpp"
#include "attn/attention/flash_attention.hpp"
#include "attn/attention/head_grouping.hpp"
#include "attn/attention/hierarchical_attention.hpp"
#include "attn/attention/kv_cache.hpp"
#include "attn/attention/masking.hpp"
#include "attn/attention/multi_head.hpp"
#include "attn/attention/paged_cache.hpp"
#include "attn/attention/pattern_reach.hpp"
#include "attn/attention/precision.hpp"
#include "attn/attention/quantization.hpp"
#include "attn/attention/softmax.hpp"
#include "attn/attention/sparse_attention.hpp"
#include "attn/base/phrases.hpp"
#include "shared.hpp"

namespace attn::wasm {

using Options = AttentionOptions<float>;
using Drop = Dropout<float>;

ATTN_CALL(start, attention, (flat(qkv), flat(options)),
          [](const Qkv<float>& x, const Options& how) {
            return attn::attention<float>(x.Q, x.K, x.V, how);
          })

// --- Stage by stage ------------------------------------------------------------------------------

ATTN_ENUM(StageOrder, kScaleMaskSoftmax, kMaskScaleSoftmax, kScaleSoftmaxMask, kMaskSoftmaxScale,
          kSoftmaxScaleMask, kSoftmaxMaskScale)
ATTN_ENUM(StageScale, kSqrt, kWidth, kNone)
ATTN_ENUM(StageMask, kCausal, kReverse, kEarlier, kInverted, kNone)
ATTN_ENUM(StageFill, kMinusInfinity, kMinusBillion, kZero)
ATTN_ENUM(StageSoftmax, kRows, kColumns, kNone)
ATTN_OPTIONS(StageOptions, order, scale, mask, fill, softmax, subtract_maximum, query_factor,
             score_shift)
ATTN_STRUCT(StageResult<float>, scores, first, second, third, output, products, blocked, row_sums,
            first_sums, second_sums, nan_rows, first_nan_row, infinite_rows, first_infinite_row,
            negative_weights, smallest_sum, largest_sum, worst_row, worst_sum, rows_off,
            future_share, blocked_share, mean_max, effective_keys, output_error)
ATTN_CALL(start, attention_stages, (flat(qkv), flat(options)),
          [](const Qkv<float>& x, const StageOptions& how) {
            return attn::attention_stages<float>(x.Q, x.K, x.V, how);
          })

// --- Softmax -------------------------------------------------------------------------------------

ATTN_STRUCT(SoftmaxResult<float>, weights, log_sum_exp)
ATTN_CALL(full, softmax, (x), attn::softmax<float>)
ATTN_CALL(full, softmax_jacobian, (p), attn::softmax_jacobian<float>)
ATTN_CALL(full, softmax_jacobian_norm, (p), attn::softmax_jacobian_norm<float>)
ATTN_CALL(full, entropy, (p), attn::entropy<float>)

// --- Training ------------------------------------------------------------------------------------

ATTN_CALL(full, dropout_keep, (n, m, otherwise(dropout, Drop())), attn::dropout_keep<float>)

/// `attention` with dropout. `weights` are those before it; `dropoutKeep` tells which counted.
ATTN_CALL(full, attention_with_dropout, (flat(qkv), flat(options), otherwise(dropout, Drop())),
          [](const Qkv<float>& x, const Options& how, const Drop& dropout) {
            return attn::attention<float>(x.Q, x.K, x.V, how, dropout);
          })

/// What a forward pass gave.
struct AttentionForward {
  /// n×d_v
  Matrix<float> output;
  /// n×m
  Matrix<float> weights;
};
ATTN_STRUCT(AttentionForward, output, weights)
ATTN_STRUCT(AttentionGradients<float>, dQ, dK, dV, d_bias, row_dots)
/// Gradients of sum(output ∘ dO).
/// @param dO n×d_v
/// @param forward What the forward pass gave for the same input; computed again unless given.
ATTN_CALL(full, attention_backward,
          (flat(qkv), dO, flat(options), otherwise(dropout, Drop()), forward),
          [](const Qkv<float>& x, In<float> dO, const Options& how, const Drop& dropout,
             std::optional<AttentionForward> forward) {
            if (!forward) return attn::attention_backward<float>(x.Q, x.K, x.V, dO, how, dropout);
            const AttentionResult<float> made{forward->output, forward->weights, {}};
            return attn::attention_backward_from<float>(made, x.Q, x.K, x.V, dO, how, dropout);
          })

ATTN_STRUCT(AttentionVariantInfo, id, label, breaks, found_in)
ATTN_CALL(full, attention_variants, (), attn::attention_variants)
ATTN_CALL(full, attention_variant, (variant, flat(qkv), flat(options)),
          [](const std::string& variant, const Qkv<float>& x, const Options& how) {
            return attn::attention_variant<float>(attention_variant_from_id(variant), x.Q, x.K, x.V,
                                                  how);
          })
ATTN_CALL(full, additive_mask_backward, (flat(qkv), dO, flat(options)),
          [](const Qkv<float>& x, In<float> dO, const Options& how) {
            return attn::additive_mask_backward<float>(x.Q, x.K, x.V, dO, how);
          })

// --- Batches -------------------------------------------------------------------------------------

ATTN_OPTIONS(BatchedAttentionOptions<float>, flat(attention), batch_masks, dropout, weights)
ATTN_STRUCT(BatchedAttentionResult<float>, output, if_any(weights), log_sum_exp)
ATTN_STRUCT(BatchedAttentionGradients<float>, dQ, dK, dV, if_any(d_bias))
/// `attention` of every head of every batch entry on its own.
ATTN_CALL(full, batched_attention, (Q, K, V, flat(options)),
          [](const Stack<float>& Q, const Stack<float>& K, const Stack<float>& V,
             const BatchedAttentionOptions<float>& how) {
            return attn::attention<float>(Q, K, V, how);
          })
/// Gradients of sum(output ∘ dO).
/// @param dO batch×heads×n×d_v
ATTN_CALL(full, batched_attention_backward, (Q, K, V, dO, flat(options)),
          [](const Stack<float>& Q, const Stack<float>& K, const Stack<float>& V,
             const Stack<float>& dO, const BatchedAttentionOptions<float>& how) {
            return attn::attention_backward<float>(Q, K, V, dO, how);
          })

// --- In tiles ------------------------------------------------------------------------------------

ATTN_OPTIONS(FlashOptions<float>, mask, scale, bias, query_tile, key_tile, trace, d_bias)
ATTN_STRUCT(FlashTrace<float>, running_max, running_sum)
ATTN_STRUCT(TileTraffic, read, written)
ATTN_STRUCT(FlashResult<float>, output, log_sum_exp, if_any(trace), visited_tiles, query_tiles,
            key_tiles, traffic)
ATTN_STRUCT(FlashGradients<float>, dQ, dK, dV, row_dots, if_any(d_bias), visited_tiles)
ATTN_CALL(full, flash_attention, (flat(qkv), flat(options), otherwise(dropout, Drop())),
          [](const Qkv<float>& x, const FlashOptions<float>& how, const Drop& dropout) {
            return attn::flash_attention<float>(x.Q, x.K, x.V, how, dropout);
          })

/// What `flashAttention` gave.
struct FlashForward {
  /// n×d_v
  Matrix<float> output;
  /// n×1
  Vector<float> log_sum_exp;
};
ATTN_STRUCT(FlashForward, output, log_sum_exp)
/// @param forward What `flashAttention` gave for the same input; tiles may differ.
ATTN_CALL(full, flash_attention_backward,
          (flat(qkv), dO, forward, flat(options), otherwise(dropout, Drop())),
          [](const Qkv<float>& x, In<float> dO, const FlashForward& forward,
             const FlashOptions<float>& how, const Drop& dropout) {
            FlashResult<float> made;
            made.output = forward.output;
            made.log_sum_exp = forward.log_sum_exp;
            return attn::flash_attention_backward<float>(x.Q, x.K, x.V, dO, made, how, dropout);
          })

// --- Masks and patterns --------------------------------------------------------------------------

ATTN_CALL(full, create_causal_mask, (n), attn::create_causal_mask<float>)
ATTN_CALL(full, create_reverse_mask, (n), attn::create_reverse_mask<float>)
ATTN_STRUCT(MaskingScenario<float>, flat(attention), past, self, future, entropy)
ATTN_STRUCT(MaskingComparison<float>, causal, none, reverse)
ATTN_CALL(full, compare_masking, (Q, K, V), attn::compare_masking<float>)

ATTN_STRUCT(PatternParameter, name, label, description, default_value, min, max, integer)
ATTN_STRUCT(PatternPaper, title, url, where)
ATTN_STRUCT(PatternInfo, id, label, description, cells_tex, square, random, from_cells, parameters,
            if_any(paper))
ATTN_CALL(full, patterns, (), attn::patterns)

ATTN_OPTIONS(PatternSite, n, m, Q, K)
/// Unknown ids and parameters are errors of value, too many cells (2²⁶) one of capacity.
ATTN_CALL(full, make_pattern, (flat(site), pattern),
          [](const PatternSite& site, const PatternChoice& pattern) {
            return lists_of(pattern.at(site));
          })
/// n×m: 1 in kept cells, or `values` (one a kept cell, in the pattern's order); 0 elsewhere.
ATTN_CALL(full, pattern_matrix, (flat(site), pattern, values),
          [](const PatternSite& site, const PatternChoice& choice,
             const std::optional<Vector<float>>& values) {
            const Pattern pattern = choice.at(site);
            return values ? pattern.to_matrix<float>(*values) : pattern.to_matrix<float>();
          })

ATTN_STRUCT(OperationCount, multiply_adds, exps, bytes_read, bytes_written, workspace_bytes)
ATTN_OPTIONS(SparseAttentionOptions<float>, scale, bias, cell_bias)
/// One entry a query; the weights in the pattern's order.
struct SparseAttention : SparseAttentionResult<float> {
  /// The pattern that was made of the choice.
  PatternLists pattern;
};
ATTN_STRUCT(SparseAttention, output, weights, log_sum_exp, pattern, operations)
ATTN_STRUCT(SparseAttentionGradients<float>, dQ, dK, dV, if_any(d_bias), operations)
ATTN_CALL(full, sparse_attention, (flat(qkv), pattern, flat(options), otherwise(dropout, Drop())),
          [](const Qkv<float>& x, const PatternChoice& choice,
             const SparseAttentionOptions<float>& how, const Drop& dropout) {
            const Pattern pattern = choice.at(x);
            return SparseAttention{
                attn::sparse_attention<float>(x.Q, x.K, x.V, pattern, how, dropout),
                lists_of(pattern)};
          })
/// Gradients of sum(output ∘ dO). The pattern is a constant.
/// @param dO n×d_v
ATTN_CALL(full, sparse_attention_backward,
          (flat(qkv), pattern, dO, flat(options), otherwise(dropout, Drop())),
          [](const Qkv<float>& x, const PatternChoice& choice, In<float> dO,
             const SparseAttentionOptions<float>& how, const Drop& dropout) {
            auto made = attn::sparse_attention_backward<float>(x.Q, x.K, x.V, choice.at(x), dO, how,
                                                               dropout);
            // Gradients at the scores are gradients of a bias only where there is one.
            if (how.bias.size() + how.cell_bias.size() == 0) made.d_bias.resize(0);
            return made;
          })

ATTN_STRUCT(PatternReach, cells, share, hops, layers_to_connect)
ATTN_CALL(full, pattern_reach, (flat(site), pattern, causal, layers),
          [](const PatternSite& site, const PatternChoice& choice, bool causal, Index layers) {
            return attn::pattern_reach(choice.at(site), causal, layers);
          })

ATTN_ENUM(DilatedOffsets, kHeadModRatio, kHeadShare)
ATTN_OPTIONS(DilatedOptions, segments, ratios, offsets, causal, scale)
ATTN_STRUCT(DilatedResult<float>, output, mix, cells)
ATTN_CALL(full, dilated_attention, (Q, K, V, flat(options)), attn::dilated_attention<float>)
ATTN_STRUCT(DilatedGradients<float>, dQ, dK, dV)
ATTN_CALL(full, dilated_attention_backward,
          (Q, K, V, dO, flat(options), otherwise(through_mix, true)),
          attn::dilated_attention_backward<float>)

ATTN_OPTIONS(BlockAttentionOptions, flat(choice), scale)
ATTN_STRUCT(BlockAttentionResult<float>, output, gate, selected, cells)
ATTN_CALL(full, block_attention, (Q, K, V, flat(options)), attn::block_attention<float>)

ATTN_OPTIONS(HierarchicalAttentionOptions, pool, window, causal, scale)
ATTN_STRUCT(HierarchicalAttentionResult<float>, output, log_sum_exp, near_cells, summary_cells,
            operations)
ATTN_STRUCT(HierarchicalAttentionGradients<float>, dQ, dK, dV, near_cells, summary_cells,
            operations)
ATTN_CALL(full, hierarchical_attention, (Q, K, V, flat(options)),
          attn::hierarchical_attention<float>)
/// Gradients of sum(output ∘ dO).
/// @param dO n×d_v
ATTN_CALL(full, hierarchical_attention_backward, (Q, K, V, dO, flat(options)),
          attn::hierarchical_attention_backward<float>)
ATTN_CALL(full, hierarchical_weights_reference, (Q, K, flat(options)),
          attn::hierarchical_weights_reference<float>)

// --- Precision -----------------------------------------------------------------------------------

ATTN_ENUM(Precision, kFloat16, kBfloat16)
ATTN_ENUM(Int8Scale, kRow, kMatrix)
ATTN_STRUCT(PrecisionError, max_absolute, relative_frobenius)
ATTN_STRUCT(PrecisionResult<float>, flat(attention), output_error, weights_error, non_finite)

struct RoundedNumber {
  /// The nearest value of the format, ties to even; ±∞ beyond its range.
  double value = 0;
  /// Its 16 bits.
  std::uint16_t bits = 0;
};
ATTN_STRUCT(RoundedNumber, value, bits)
/// The nearest value of the format, ties to even, and its 16 bits. ±∞ beyond its range.
ATTN_CALL(full, round_number, (x, otherwise(precision, Precision::kFloat16)),
          [](double x, Precision precision) {
            return RoundedNumber{rounded(x, precision), to_bits(x, precision)};
          })
/// What 16 bits (0 … 65535) stand for.
ATTN_CALL(full, number_from_bits, (bits, otherwise(precision, Precision::kFloat16)),
          [](Index bits, Precision precision) {
            if (bits < 0 || bits > 0xFFFF) {
              throw ValueError("bits", phrase::number(bits), phrase::range(0, 65535));
            }
            return from_bits(static_cast<std::uint16_t>(bits), precision);
          })
/// Every entry rounded.
ATTN_CALL(full, round_matrix, (x, otherwise(precision, Precision::kFloat16)),
          attn::rounded_matrix<float>)

ATTN_STRUCT(QuantizedMatrix<float>, codes, scales, computed(dequantized), computed(bytes))
/// @param scales One scale for each row, or one for the whole matrix.
ATTN_CALL(full, quantize_int8, (x, otherwise(scales, Int8Scale::kRow)), attn::quantize_int8<float>)
ATTN_CALL(full, precision_error, (reference, approximate), attn::precision_error<float>)

ATTN_OPTIONS(PrecisionOptions, precision, round_scores)
ATTN_CALL(full, attention_rounded, (flat(qkv), flat(precision), flat(options)),
          [](const Qkv<float>& x, const PrecisionOptions& precision, const Options& how) {
            return attn::attention_rounded<float>(x.Q, x.K, x.V, precision, how);
          })
ATTN_CALL(full, attention_int8_kv, (flat(qkv), otherwise(scales, Int8Scale::kRow), flat(options)),
          [](const Qkv<float>& x, Int8Scale scales, const Options& how) {
            return attn::attention_int8_kv<float>(x.Q, x.K, x.V, scales, how);
          })

ATTN_STRUCT(Quantized<float>, computed(codes), scales, minima, computed(dequantized),
            computed(bytes))
ATTN_CALL(full, quantize, (x, flat(options)), attn::quantize<float>)

ATTN_OPTIONS(OutlierOptions, channels, offset, seed)
ATTN_STRUCT(PlantedOutliers<float>, x, channels)
ATTN_CALL(full, plant_outliers, (x, flat(options)), attn::plant_outliers<float>)

ATTN_STRUCT(ExactTokens, keys, values)
ATTN_CALL(full, kivi_exact_tokens, (n, residual), attn::kivi_exact_tokens)

ATTN_STRUCT(QuantizedCacheResult<float>, keys, values, output, weights, exact_output,
            relative_error, bytes, exact_bytes)
ATTN_CALL(full, quantized_cache_attention, (Q, K, V, flat(options)),
          attn::quantized_cache_attention<float>)

// --- Heads ---------------------------------------------------------------------------------------

ATTN_OPTIONS(KeyWindow, left, right)
ATTN_OPTIONS(HeadsOptions<float>, mask, window, keep_keys, keep_heads, scale, bias, dropout)
ATTN_STRUCT(HeadsResult<float>, output, weights, log_sum_exp)
ATTN_STRUCT(HeadsGradients<float>, dQ, dK, dV, if_any(d_bias))
/// @param kv_heads As many as `heads` unless given.
ATTN_CALL(full, grouped_query_attention, (flat(qkv), heads, kv_heads, flat(options)),
          [](const Qkv<float>& x, Index heads, std::optional<Index> kv_heads,
             const HeadsOptions<float>& how) {
            return attn::grouped_query_attention<float>(x.Q, x.K, x.V, heads,
                                                        kv_heads.value_or(heads), how);
          })
/// @param dO n×h·d_v
/// @param kv_heads As many as `heads` unless given.
ATTN_CALL(full, grouped_query_attention_backward, (flat(qkv), dO, heads, kv_heads, flat(options)),
          [](const Qkv<float>& x, In<float> dO, Index heads, std::optional<Index> kv_heads,
             const HeadsOptions<float>& how) {
            return attn::grouped_query_attention_backward<float>(x.Q, x.K, x.V, dO, heads,
                                                                 kv_heads.value_or(heads), how);
          })

/// A multi-head layer as torch writes it: y = xWᵀ + b, so every W is outputs×inputs. A bias is one
/// row or one column, as long as its matrix has rows; none where left out. Either W_q, W_k and W_v
/// are given or the three of them in one.
struct MultiHeadLayer {
  Index heads = 0;
  /// `heads` unless given; 1 is multi-query attention.
  std::optional<Index> kv_heads;
  /// outputs × h·d_v
  Matrix<float> Wo;
  Vector<float> bo;
  /// h·d × d_model
  std::optional<Matrix<float>> Wq;
  /// hk·d × the width of the keys' source, hk·d_v × that of the values'
  std::optional<Matrix<float>> Wk, Wv;
  Vector<float> bq, bk, bv;
  /// [Wq; Wk; Wv] in one, (h + 2·hk)·d × d_model: torch's `in_proj_weight`.
  std::optional<Matrix<float>> W_in;
  Vector<float> b_in;

  MultiHeadWeights<float> weights() const {
    const Index groups = kv_heads.value_or(heads);
    if (W_in) return unpack_in_projection<float>(*W_in, b_in, Wo, bo, heads, groups);
    const auto needed = [](const char* name, const std::optional<Matrix<float>>& W) {
      if (!W) throw ShapeError(name, phrase::type_seen("undefined"), phrase::matrix);
      return *W;
    };
    return {heads, groups, needed("Wq", Wq), needed("Wk", Wk), needed("Wv", Wv), Wo, bq, bk,
            bv,    bo};
  }
};
template <>
inline constexpr bool kNamedAlone<MultiHeadLayer> = true;
ATTN_OPTIONS(MultiHeadLayer, needed(heads), kv_heads, needed(Wo), bo, Wq, Wk, Wv, bq, bk, bv, W_in,
             b_in)

/// Where queries, keys and values come from.
struct MultiHeadSources {
  /// n×d_model: what the queries are made of.
  Matrix<float> X;
  /// m rows: what the keys are made of. `x` unless given.
  std::optional<Matrix<float>> Yk;
  /// m rows: what the values are made of. `yk` unless given.
  std::optional<Matrix<float>> Yv;

  bool self() const { return !Yk && !Yv; }
  const Matrix<float>& keys() const { return Yk ? *Yk : X; }
  const Matrix<float>& values() const { return Yv ? *Yv : keys(); }
};
ATTN_STRUCT(MultiHeadSources, X, Yk, Yv)

ATTN_STRUCT(MultiHeadResult<float>, output, heads)
/// Self attention, or cross attention where `yk` is given.
ATTN_CALL(full, multi_head_attention, (flat(sources), weights, flat(options)),
          [](const MultiHeadSources& from, const MultiHeadLayer& layer,
             const HeadsOptions<float>& how) {
            return attn::multi_head_attention<float>(from.X, from.keys(), from.values(),
                                                     layer.weights(), how);
          })

ATTN_STRUCT(MultiHeadWeights<float>, Wq, Wk, Wv, Wo, if_any(bq), if_any(bk), if_any(bv), if_any(bo))
ATTN_STRUCT(MultiHeadGradients<float>, d_X, if_any(d_Yk), if_any(d_Yv), d_weights, if_any(d_bias))
/// @param d_output n×outputs
ATTN_CALL(full, multi_head_attention_backward, (flat(sources), weights, d_output, flat(options)),
          [](const MultiHeadSources& from, const MultiHeadLayer& layer, In<float> d_output,
             const HeadsOptions<float>& how) {
            const MultiHeadWeights<float> weights = layer.weights();
            return from.self()
                       ? attn::multi_head_attention_backward<float>(from.X, d_output, weights, how)
                       : attn::multi_head_attention_backward<float>(
                             from.X, from.keys(), from.values(), d_output, weights, how);
          })

ATTN_STRUCT(HeadGrouping<float>, weights, before, after, attention, relative_change, cached_before,
            cached_after)
ATTN_CALL(full, group_heads, (X, weights, kv_heads, flat(options)),
          [](In<float> X, const MultiHeadLayer& layer, Index kv_heads,
             const HeadsOptions<float>& how) {
            return attn::group_heads<float>(X, layer.weights(), kv_heads, how);
          })

ATTN_STRUCT(MultiHeadLinearResult<float>, output, heads, states)
/// The same layer with linear attention in its heads; the feature map works on the width of one
/// head.
/// @param state None: a layer starts from an empty state.
ATTN_CALL(full, multi_head_linear_attention,
          (flat(sources), weights, feature_map, flat(options), state),
          [](const MultiHeadSources& from, const MultiHeadLayer& layer, const FeatureMapChoice& map,
             const LinearAttentionOptions& how, const NoState&) {
            const MultiHeadWeights<float> weights = layer.weights();
            require_heads(weights.Wq.rows(), weights.heads, weights.kv_heads);
            return attn::multi_head_linear_attention<float>(
                from.X, from.keys(), from.values(), weights,
                map.at(weights.Wq.rows() / weights.heads), how);
          })

ATTN_STRUCT(MultiHeadParameters, query, key, value, output, computed(total))
ATTN_CALL(full, count_parameters, (weights, otherwise(keep_heads, std::vector<std::uint8_t>())),
          [](const MultiHeadLayer& layer, const std::vector<std::uint8_t>& keep_heads) {
            return attn::count_parameters<float>(layer.weights(), keep_heads);
          })

// --- A cache of keys and values ------------------------------------------------------------------

using Cache = KvCache<float>;
ATTN_KEPT(Cache, "KvCache")
ATTN_ENUM(KvStorage, kExact, kFloat16, kBfloat16, kInt8)
ATTN_OPTIONS(KvCacheOptions, window, storage)
ATTN_STRUCT_AS(KvCacheInfo, KvCache<float>, computed(capacity), computed(kv_heads),
               computed_as(is_ring, ring), computed(size), computed(appended), computed(bytes),
               computed(capacity_bytes))
ATTN_STRUCT(KvAttention<float>, output, weights, first_position)

ATTN_CALL(full, kv_cache_bytes, (tokens, kv_heads, d_k, d_v, otherwise(storage, KvStorage::kExact)),
          [](Index tokens, Index kv_heads, Index d_k, Index d_v, KvStorage storage) {
            return attn::kv_cache_bytes(tokens, kv_heads, d_k, d_v, storage);
          })
ATTN_CALL(full, kv_cache_make, (handle, capacity, kv_heads, d_k, d_v, flat(options)),
          [](New<Cache> handle, Index capacity, Index kv_heads, Index d_k, Index d_v,
             const KvCacheOptions& how) -> const Cache& {
            return handle.keep(Cache(capacity, kv_heads, d_k, d_v, how));
          })
ATTN_CALL(full, kv_cache_append, (handle, K, V),
          [](Kept<Cache> cache, In<float> K, In<float> V) -> const Cache& {
            cache->append(K, V);
            return *cache;
          })
ATTN_CALL(full, kv_cache_attend, (handle, Q, heads, scale),
          [](Kept<Cache> cache, In<float> Q, Index heads, std::optional<double> scale) {
            return cache->attend(Q, heads, scale);
          })
ATTN_CALL(full, kv_cache_decode, (handle, Q, K, V, heads, scale),
          [](Kept<Cache> cache, In<float> Q, In<float> K, In<float> V, Index heads,
             std::optional<double> scale) { return cache->decode(Q, K, V, heads, scale); })
ATTN_CALL(full, kv_cache_reset, (handle), [](Kept<Cache> cache) -> const Cache& {
  cache->reset();
  return *cache;
})
ATTN_CALL(full, kv_cache_info, (handle), [](Kept<Cache> cache) -> const Cache& { return *cache; })
ATTN_CALL(full, kv_cache_keys, (handle, kv_head),
          [](Kept<Cache> cache, Index kv_head) { return cache->keys(kv_head); })
ATTN_CALL(full, kv_cache_values, (handle, kv_head),
          [](Kept<Cache> cache, Index kv_head) { return cache->values(kv_head); })
ATTN_CALL(full, kv_cache_delete, (handle), [](Gone<Cache>) { return Nothing(); })

// --- A cache in blocks ---------------------------------------------------------------------------

ATTN_ENUM(PagedAction, kAppend, kFork, kFree)
ATTN_STRUCT(PagedOperation, action, sequence, maybe(count))
ATTN_STRUCT(PagedTrace<float>, ok, blocks_in_use, wasted_slots, blocks_copied, references, tables,
            lengths, slots, output)
ATTN_CALL(full, paged_trace, (operations, blocks, block_size, sequences, K, V, Q),
          [](const std::vector<PagedOperation>& operations, Index blocks, Index block_size,
             Index sequences, In<float> K, In<float> V, In<float> Q) {
            return attn::paged_trace<float>(operations, blocks, block_size, sequences, K, V, Q);
          })

using Pages = PagedCache<float>;
ATTN_KEPT(Pages, "PagedCache")
struct PagedCacheInfo {
  Index blocks = 0, block_size = 0, blocks_in_use = 0;
  /// Free slots inside blocks in use, each block once.
  Index wasted_slots = 0;
  /// How many blocks were copied before they were written, since the cache was made.
  Index blocks_copied = 0;
  /// How many sequences hold each block; 0: it is free.
  std::vector<Index> references;
};
ATTN_STRUCT(PagedCacheInfo, blocks, block_size, blocks_in_use, wasted_slots, blocks_copied,
            references)
struct PagedSequence {
  /// Tokens; 0 where there is no such sequence.
  Index length = 0;
  /// The blocks in the order of the tokens.
  std::vector<Index> table;
};
ATTN_STRUCT(PagedSequence, length, table)

#ifndef ATTN_MODULE_START
namespace {

PagedCacheInfo paged_info_of(const Pages& cache) {
  return {cache.blocks(),       cache.block_size(),    cache.blocks_in_use(),
          cache.wasted_slots(), cache.blocks_copied(), cache.references()};
}

}  // namespace
#endif

ATTN_CALL(full, paged_cache_make, (handle, blocks, block_size, kv_heads, d_k, d_v),
          [](New<Pages> handle, Index blocks, Index block_size, Index kv_heads, Index d_k,
             Index d_v) {
            return paged_info_of(handle.keep(Pages(blocks, block_size, kv_heads, d_k, d_v)));
          })
/// @param tokens What the tokens are, if that is known: then full blocks of them can be shared.
ATTN_CALL(full, paged_cache_append,
          (handle, sequence, K, V, otherwise(tokens, std::vector<std::int32_t>())),
          [](Kept<Pages> cache, Index sequence, In<float> K, In<float> V,
             std::span<const std::int32_t> tokens) {
            cache->append(sequence, K, V, tokens);
            return paged_info_of(*cache);
          })
ATTN_CALL(full, paged_cache_fork, (handle, from, to), [](Kept<Pages> cache, Index from, Index to) {
  cache->fork(from, to);
  return paged_info_of(*cache);
})
ATTN_CALL(full, paged_cache_share_prefix, (handle, to, tokens),
          [](Kept<Pages> cache, Index to, std::span<const std::int32_t> tokens) {
            return cache->share_prefix(to, tokens);
          })
ATTN_CALL(full, paged_cache_release, (handle, sequence), [](Kept<Pages> cache, Index sequence) {
  cache->release(sequence);
  return paged_info_of(*cache);
})
ATTN_CALL(full, paged_cache_attend, (handle, sequence, Q, heads, scale),
          [](Kept<Pages> cache, Index sequence, In<float> Q, Index heads,
             std::optional<double> scale) { return cache->attend(sequence, Q, heads, scale); })
/// The blocks of one sequence.
ATTN_CALL(full, paged_cache_sequence, (handle, sequence), [](Kept<Pages> cache, Index sequence) {
  return PagedSequence{cache->length(sequence), cache->table(sequence)};
})
/// What is in use, and by how many.
ATTN_CALL(full, paged_cache_info, (handle), [](Kept<Pages> cache) { return paged_info_of(*cache); })
ATTN_CALL(full, paged_cache_delete, (handle), [](Gone<Pages>) { return Nothing(); })

}  // namespace attn::wasm
