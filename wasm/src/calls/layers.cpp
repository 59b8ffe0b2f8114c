// Calls of attn/nn, and of the layers of attn/mixers by themselves: norms, activations, the loss,
// positions, sinks, convolutions, and the layers of RetNet, Mamba and latent attention.

#include <optional>

#include "../handles.hpp"
#include "attn/mixers/attention_sinks.hpp"
#include "attn/mixers/convolution.hpp"
#include "attn/mixers/latent_attention.hpp"
#include "attn/mixers/position_cache.hpp"
#include "attn/mixers/positions.hpp"
#include "attn/mixers/retention_layer.hpp"
#include "attn/mixers/selective_scan.hpp"
#include "attn/nn/activation.hpp"
#include "attn/nn/cross_entropy.hpp"
#include "attn/nn/normalization.hpp"
#include "shared.hpp"

namespace attn::wasm {

// --- Parts of trained models ---------------------------------------------------------------------

ATTN_STRUCT(NormGradients<float>, dX, if_any(d_weight), if_any(d_bias))
ATTN_CALL(full, layer_norm,
          (X, otherwise(weight, Vector<float>()), otherwise(bias, Vector<float>()),
           otherwise(epsilon, kLayerNormEpsilon)),
          attn::layer_norm<float>)
ATTN_CALL(full, layer_norm_backward,
          (X, otherwise(weight, Vector<float>()), otherwise(bias, Vector<float>()), dY,
           otherwise(epsilon, kLayerNormEpsilon)),
          attn::layer_norm_backward<float>)
ATTN_CALL(full, rms_norm,
          (X, otherwise(weight, Vector<float>()), otherwise(epsilon, kRmsNormEpsilon)),
          attn::rms_norm<float>)
ATTN_CALL(full, activate, (X, activation), attn::activate<float>)
ATTN_CALL(full, activate_backward, (X, activation, dY), attn::activate_backward<float>)
ATTN_STRUCT(CrossEntropyResult<float>, loss, accuracy, counted, d_logits)
ATTN_CALL(full, cross_entropy, (logits, targets),
          [](In<float> logits, std::span<const std::int32_t> targets) {
            return attn::cross_entropy<float>(logits, targets);
          })

// --- Positions -----------------------------------------------------------------------------------

ATTN_ENUM(RotaryPairs, kHalves, kInterleaved)
ATTN_OPTIONS(RotaryOptions, pairs, width, base)
ATTN_STRUCT(RotaryTable<float>, cos, sin)
ATTN_ENUM(SinusoidalLayout, kInterleaved, kHalves)
ATTN_CALL(full, rotate, (X, otherwise(offset, 0), flat(options)), attn::rotate<float>)
ATTN_CALL(full, rotate_backward, (dO, otherwise(offset, 0), flat(options)),
          attn::rotate_backward<float>)
ATTN_CALL(full, rotary_table, (n, d, otherwise(offset, 0), flat(options)),
          attn::rotary_table<float>)
ATTN_CALL(full, alibi_slopes, (heads), attn::alibi_slopes<float>)
ATTN_CALL(full, sinusoidal_positions,
          (n, d, otherwise(layout, SinusoidalLayout::kInterleaved), otherwise(base, 10000.0)),
          attn::sinusoidal_positions<float>)

// --- Sinks, and latent attention -----------------------------------------------------------------

ATTN_OPTIONS(SinkOptions, sinks, window, scale, rotate_in_cache, base)
ATTN_STRUCT(SinkAttentionResult<float>, output, weights)
ATTN_CALL(full, sink_attention, (Q, K, V, flat(options)), attn::sink_attention<float>)
ATTN_STRUCT(GroupedSinkResult<float>, output, weights)
ATTN_CALL(full, grouped_sink_attention, (Q, K, V, heads, kv_heads, flat(options)),
          attn::grouped_sink_attention<float>)

ATTN_OPTIONS(YarnOptions, trained, factor, fast, slow)
ATTN_OPTIONS(LatentAttentionOptions, base, epsilon, offset, yarn, magnitude)
ATTN_OPTIONS(LatentAttentionWeights<float>, needed(heads), needed(nope), needed(rope), needed(q),
             q_down, q_norm, needed(kv_down), needed(kv_norm), needed(kv_up), needed(out))
ATTN_STRUCT(LatentAttentionResult<float>, output, latent, rotated_key, weights)
ATTN_ENUM(LatentForm, kNaive, kAbsorbed)
ATTN_CALL(full, latent_attention, (X, weights, flat(options), otherwise(form, LatentForm::kNaive)),
          [](In<float> X, const LatentAttentionWeights<float>& weights,
             const LatentAttentionOptions& options,
             LatentForm form) { return attn::latent_attention<float>(X, weights, options, form); })

// --- Retention, selective scan, long convolution -------------------------------------------------

ATTN_ENUM(RetentionForm, kParallel, kRecurrent, kChunked)
ATTN_OPTIONS(RetentionLayerOptions, form, chunk, epsilon)
ATTN_STRUCT(RetentionLayerWeights<float>, heads, q, k, v, gate, out)
ATTN_STRUCT(RetentionLayerResult<float>, output, states)
ATTN_CALL(full, retention_layer, (X, weights, flat(options)),
          [](In<float> X, const RetentionLayerWeights<float>& weights,
             const RetentionLayerOptions& options) {
            return attn::retention_layer<float>(X, weights, options);
          })

ATTN_STRUCT(SelectiveScanInputs<float>, u, delta, A, B, C, maybe(D), maybe(z), maybe(delta_bias))
ATTN_STRUCT(SelectiveScanResult<float>, output, state)
ATTN_CALL(full, selective_scan, (inputs, otherwise(softplus, true)),
          [](const SelectiveScanInputs<float>& inputs, bool softplus) {
            return attn::selective_scan<float>(inputs, softplus);
          })
ATTN_CALL(full, selective_scan_backward, (inputs, dO, otherwise(softplus, true)),
          [](const SelectiveScanInputs<float>& inputs, In<float> dO, bool softplus) {
            return attn::selective_scan_backward<float>(inputs, dO, softplus);
          })

ATTN_ENUM(ConvolutionForm, kDirect, kFft)
ATTN_STRUCT(LongConvolutionGradients<float>, dX, d_filter, d_through)
ATTN_CALL(full, long_convolution,
          (X, filter, otherwise(through, Vector<float>()), otherwise(form, ConvolutionForm::kFft)),
          attn::long_convolution<float>)
ATTN_CALL(full, long_convolution_backward,
          (X, filter, otherwise(through, Vector<float>()), dO,
           otherwise(form, ConvolutionForm::kFft)),
          attn::long_convolution_backward<float>)

// --- A cache that knows where its tokens stand ---------------------------------------------------

using Places = PositionCache<float>;
ATTN_KEPT(Places, "PositionCache")
ATTN_ENUM(CachePositions, kNone, kRotaryInText, kRotaryByPlace, kAlibi)
ATTN_OPTIONS(PositionCacheOptions, sinks, window, positions, rotary, first_position, scale)
ATTN_STRUCT(PositionAttention<float>, output, weights, positions)
ATTN_STRUCT_AS(PositionCacheInfo, PositionCache<float>, computed(size), computed(next_position),
               computed(slot_positions), computed(bytes))
ATTN_CALL(full, position_cache_make, (handle, heads, kv_heads, d_k, d_v, flat(options)),
          [](New<Places> handle, Index heads, Index kv_heads, Index d_k, Index d_v,
             const PositionCacheOptions& how) -> const Places& {
            return handle.keep(Places(heads, kv_heads, d_k, d_v, how));
          })
ATTN_CALL(full, position_cache_append, (handle, K, V),
          [](Kept<Places> cache, In<float> K, In<float> V) -> const Places& {
            cache->append(K, V);
            return *cache;
          })
ATTN_CALL(full, position_cache_decode, (handle, Q, K, V),
          [](Kept<Places> cache, In<float> Q, In<float> K, In<float> V) {
            return cache->decode(Q, K, V);
          })
/// What it holds, and where.
ATTN_CALL(full, position_cache_info, (handle),
          [](Kept<Places> cache) -> const Places& { return *cache; })
ATTN_CALL(full, position_cache_delete, (handle), [](Gone<Places>) { return Nothing(); })
ATTN_STRUCT(EvictedScores<float>, positions, whole, kept, largest_difference, moved)
ATTN_CALL(full, evicted_scores, (Q, K, flat(options), otherwise(count_kept, false)),
          attn::evicted_scores<float>)

}  // namespace attn::wasm
