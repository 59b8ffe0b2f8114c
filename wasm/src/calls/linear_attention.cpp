// Calls of attn/linear_attention: feature maps, linear attention and the kernel trick.

#include "attn/linear_attention/linear_attention.hpp"

#include "../handles.hpp"
#include "attn/attention/attention.hpp"
#include "attn/linear_attention/associativity_precision.hpp"
#include "attn/linear_attention/kernel_trick.hpp"
#include "attn/linear_attention/linear_decoder.hpp"
#include "shared.hpp"

namespace attn::wasm {

// --- Feature maps --------------------------------------------------------------------------------

ATTN_STRUCT(FeatureMapParameter, name, label, description, default_value, min, max, integer)
ATTN_STRUCT(FeatureMapPaper, title, url, where)
ATTN_STRUCT(FeatureMapInfo, id, label, tex, positivity, dimension_tex, kernel, note, random,
            positional, parameters, paper)
ATTN_CALL(start, feature_maps, (), attn::feature_maps)

/// φ(x), rows(x)×D.
ATTN_CALL(start, apply_feature_map, (x, feature_map, otherwise(role, Role::kQuery), flat(position)),
          [](In<float> x, const FeatureMapChoice& map, Role role, Position position) {
            return map.at(x.cols()).apply(x, role, position);
          })

// --- The kernel trick ----------------------------------------------------------------------------

ATTN_ENUM(ProductOrder, kStandard, kLinear)
ATTN_ENUM(TraceStage, kProduct, kOutput)
ATTN_STRUCT(OrderProduct, rows, inner, cols, computed(multiply_adds))
ATTN_STRUCT(OrderIntermediate, rows, cols, computed(numbers), computed(bytes))
ATTN_STRUCT(OrderNormalizer, numbers, multiply_adds)
ATTN_STRUCT(OrderPath, products, computed(intermediate), normalizer)
ATTN_STRUCT(OrderCount, standard, linear, computed(ratio), crossover)
ATTN_STRUCT(OrderCosts, standard, linear, plain, normalized, causal, causal_normalized)
ATTN_CONSTANT(max_order_size, kMaxOrderSize)
ATTN_CALL(start, order_costs, (n, m, d_k, d_v, D),
          [](std::uint64_t n, std::optional<std::uint64_t> m, std::uint64_t d_k, std::uint64_t d_v,
             std::optional<std::uint64_t> D) {
            return attn::order_costs(n, m.value_or(n), d_k, d_v, D.value_or(d_k));
          })

ATTN_STRUCT(TraceTerm<float>, a, b, product, sum)
ATTN_STRUCT(AssociativityTrace<float>, product, output, stage, row, col, inner, terms,
            multiply_adds, product_total, total)
ATTN_CALL(start, associativity_trace, (Q, K, V, order, step), attn::associativity_trace<float>)

ATTN_STRUCT(RecurrentTrace<float>, feature_dimension, phi_q, phi_k, s, z, numerator, sum,
            denominator, output, parallel, max_difference)
ATTN_CALL(start, recurrent_trace,
          (flat(qkv), feature_map, otherwise(epsilon, kLinearAttentionEpsilon),
           otherwise(denominator, DenominatorRule::kAdd)),
          [](const Qkv<float>& x, const FeatureMapChoice& map, double epsilon,
             DenominatorRule rule) {
            return attn::recurrent_trace<float>(x.Q, x.K, x.V, map.at(x.Q.cols()), epsilon, rule);
          })

// --- More on feature maps ------------------------------------------------------------------------

/// What a feature map is with its parameters; the registry tells what it is with the defaults.
struct FeatureMapDescription {
  /// D
  Index dimension = 0;
  Positivity positivity = Positivity::kAny;
  /// φ of a row does not depend on the others, so that a state can be carried on.
  bool streamable = false;
};
ATTN_STRUCT(FeatureMapDescription, dimension, positivity, streamable)
/// What a feature map is with its parameters.
/// @param length Of the whole sequence, where it is known beforehand (cosFormer).
ATTN_CALL(full, describe_feature_map, (feature_map, d_k, otherwise(length, 0)),
          [](const FeatureMapChoice& choice, Index d_k, Index length) {
            const FeatureMap<float> map = choice.at(d_k);
            return FeatureMapDescription{map.dimension(), map.positivity(), map.streamable(length)};
          })
/// Gradient of sum(φ(x) ∘ dPhi) with respect to x: rows(x)×d_k. At a kink (ReLU at 0) it is 0.
/// @param d_phi rows(x)×D
ATTN_CALL(full, feature_map_backward,
          (x, d_phi, feature_map, otherwise(role, Role::kQuery), flat(position)),
          [](In<float> x, In<float> d_phi, const FeatureMapChoice& map, Role role,
             Position position) { return map.at(x.cols()).backward(x, d_phi, role, position); })
ATTN_CALL(full, redraw_seed, (seed, step, otherwise(interval, kRedrawInterval)), attn::redraw_seed)

// --- Linear attention ----------------------------------------------------------------------------

ATTN_STRUCT(LinearAttentionResult<float>, output, state)
// Up to so many rows it is one step, whose bits are those of `linear_attention`.
ATTN_STEPS(full, linear_attention, 1024, (flat(qkv), feature_map, flat(options), state),
           [](const Qkv<float>& x, const FeatureMapChoice& map, const LinearAttentionOptions& how,
              const std::optional<LinearState<float>>& state) {
             return LinearAttentionRun<float>(x.Q, x.K, x.V, map.at(x.Q.cols()), how, state);
           })
/// Gradients of sum(output ∘ dO) with respect to Q, K and V, from an empty state.
/// @param dO n×d_v
ATTN_CALL(full, linear_attention_backward, (flat(qkv), dO, feature_map, flat(options), state),
          [](const Qkv<float>& x, In<float> dO, const FeatureMapChoice& map,
             const LinearAttentionOptions& how, const NoState&) {
            auto made =
                attn::linear_attention_backward<float>(x.Q, x.K, x.V, dO, map.at(x.Q.cols()), how);
            return Qkv<float>{std::move(made.dQ), std::move(made.dK), std::move(made.dV)};
          })
ATTN_CALL(full, compute_implicit_attention,
          (Q, K, feature_map, otherwise(mask, Mask::full()),
           otherwise(epsilon, kLinearAttentionEpsilon),
           otherwise(denominator, DenominatorRule::kAdd)),
          [](In<float> Q, In<float> K, const FeatureMapChoice& map, const Mask& mask,
             double epsilon, DenominatorRule rule) {
            return attn::compute_implicit_attention<float>(Q, K, map.at(Q.cols()), mask, epsilon,
                                                           rule);
          })
/// n×1: φ(q)·Σφ(k) over the keys the mask keeps, before ε.
ATTN_CALL(full, denominators, (Q, K, feature_map, otherwise(mask, Mask::full())),
          [](In<float> Q, In<float> K, const FeatureMapChoice& map, const Mask& mask) {
            return attn::compute_denominators<float>(Q, K, map.at(Q.cols()), mask);
          })
ATTN_STRUCT(StandardOrderResult<float>, output, weights)
ATTN_CALL(full, standard_attention_order, (Q, K, V), attn::standard_attention_order<float>)
ATTN_CALL(full, linear_attention_order, (flat(qkv), feature_map),
          [](const Qkv<float>& x, const FeatureMapChoice& map) {
            return attn::linear_attention_order<float>(x.Q, x.K, x.V, map.at(x.Q.cols()));
          })

ATTN_STRUCT(AssociativityReport<float>, standard, linear, k_tv, max_difference,
            max_relative_difference, equal)
ATTN_CALL(full, verify_associativity, (Q, K, V, otherwise(rtol, 1e-5), otherwise(atol, 1e-3)),
          attn::verify_associativity<float>)

ATTN_STRUCT(AssociativityPrecisionOptions, n, d_k, d_v, maybe(seed), maybe(draws), maybe(rtol),
            maybe(atol))
ATTN_STRUCT(AssociativityEntry, seed, row, col, standard, linear, terms, condition)
ATTN_STRUCT(AssociativityErrors, max_difference, max_relative_difference, failed_share,
            failed_draws, differences, relative_differences, worst)
ATTN_STRUCT(AssociativityCells, size, difference, relative_difference, condition)
ATTN_STRUCT(AssociativityPrecisionResult, float32, float64, probabilities, draws, entries, first)
/// (QKᵀ)V against Q(KᵀV) in float32 and, the same numbers, in float64. Draw i is `gaussianQkv` of
/// seed + i.
ATTN_STEPS(full, associativity_precision, 1, (flat(options)),
           [](const AssociativityPrecisionOptions& how) { return AssociativityPrecision(how); })

// --- A state that is carried on ------------------------------------------------------------------

using Decoder = LinearDecoder<float>;
ATTN_KEPT(Decoder, "LinearDecoder")
ATTN_OPTIONS(LinearDecoderOptions, normalize, epsilon, denominator, length)
ATTN_STRUCT(LinearDecoderSnapshot<float>, state, position)
ATTN_STRUCT_AS(LinearDecoderInfo, LinearDecoder<float>, computed(position),
               computed(feature_dimension), computed(bytes))

/// @param feature_map One whose rows do not depend on one another: no stabiliser; cosFormer needs
/// `length`.
/// @param initial An empty state at position 0 unless given.
ATTN_CALL(full, linear_decoder_make, (handle, feature_map, d_k, d_v, flat(options), initial),
          [](New<Decoder> handle, const FeatureMapChoice& map, Index d_k, Index d_v,
             const LinearDecoderOptions& how,
             const std::optional<LinearDecoderSnapshot<float>>& initial) -> const Decoder& {
            return handle.keep(Decoder(map.at(d_k), d_v, how, initial));
          })
ATTN_CALL(full, linear_decoder_append, (handle, K, V),
          [](Kept<Decoder> decoder, In<float> K, In<float> V) -> const Decoder& {
            decoder->append(K, V);
            return *decoder;
          })
ATTN_CALL(full, linear_decoder_decode, (handle, Q, K, V),
          [](Kept<Decoder> decoder, In<float> Q, In<float> K, In<float> V) {
            return decoder->decode(Q, K, V);
          })
ATTN_CALL(full, linear_decoder_reset, (handle), [](Kept<Decoder> decoder) -> const Decoder& {
  decoder->reset();
  return *decoder;
})
ATTN_CALL(full, linear_decoder_info, (handle),
          [](Kept<Decoder> decoder) -> const Decoder& { return *decoder; })
ATTN_CALL(full, linear_decoder_snapshot, (handle),
          [](Kept<Decoder> decoder) { return decoder->snapshot(); })
ATTN_CALL(full, linear_decoder_restore, (handle, snapshot),
          [](Kept<Decoder> decoder,
             const LinearDecoderSnapshot<float>& snapshot) -> const Decoder& {
            decoder->restore(snapshot);
            return *decoder;
          })
ATTN_CALL(full, linear_decoder_delete, (handle), [](Gone<Decoder>) { return Nothing(); })

}  // namespace attn::wasm
