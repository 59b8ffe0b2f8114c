#pragma once
// Structs and choices that calls of several chapters have in common.

#include <optional>
#include <string>

#include "../call.hpp"
#include "attn/analysis/analysis.hpp"
#include "attn/analysis/gradient_quantiles.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/attention_training.hpp"
#include "attn/attention/block_attention.hpp"
#include "attn/attention/quantization.hpp"
#include "attn/base/inputs.hpp"
#include "attn/heads/head_importance.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "attn/mixers/sequence_mixer.hpp"
#include "attn/nn/activation.hpp"

namespace attn::wasm {

ATTN_STRUCT(Qkv<float>, Q, K, V)

ATTN_STRUCT(Summary, mean, least, median, largest)

ATTN_OPTIONS(AttentionOptions<float>, mask, scale, bias)
ATTN_STRUCT(AttentionResult<float>, output, weights, log_sum_exp)
ATTN_OPTIONS(Dropout<float>, needed(probability), seed, stream, keep)

ATTN_ENUM(Positivity, kPositive, kNonNegative, kAny)
ATTN_ENUM(Role, kQuery, kKey)
ATTN_OPTIONS(Position, offset, length)

ATTN_ENUM(QuantizationAxis, kRow, kColumn)
ATTN_OPTIONS(QuantizationOptions, bits, zero_point, axis, group)
ATTN_OPTIONS(BlockChoiceOptions, block, top_k)
ATTN_OPTIONS(QuantizedCacheOptions, keys, values, exact_keys, exact_values, scale)

/// A feature map as chosen: its id, its parameters (defaults where left out), its random seed.
struct FeatureMapChoice {
  /// One of the ids of `featureMaps`.
  std::string id;
  FeatureMapOptions<float> options;

  FeatureMap<float> at(Index d_k) const { return FeatureMap<float>(id, d_k, options); }
};
ATTN_OPTIONS(FeatureMapOptions<float>, parameters, seed, projection, bias, gain, shift)
template <>
inline constexpr bool kNamedAlone<FeatureMapOptions<float>> = true;
ATTN_STRUCT(FeatureMapChoice, id, flat(options))

ATTN_ENUM(DenominatorRule, kAdd, kClamp, kAddToKeySum)
ATTN_OPTIONS(LinearAttentionOptions, causal, normalize, epsilon, valid_keys, chunk, denominator,
             keep_state, flat(position))
ATTN_STRUCT(LinearState<float>, s, row(z))

ATTN_ENUM(Activation, kRelu, kElu, kGelu, kGeluTanh, kSilu, kSoftplus, kSigmoid, kTanh)
ATTN_ENUM(SeenTokens, kEarlier, kAll, kLater, kStrictlyLater)
ATTN_OPTIONS(SequenceMixerOptions, id, d_model, heads, d_k, kv_heads, length, sees, bias,
             feature_map, seed, parameters)

ATTN_STRUCT(HeadImportance, importance, importance_unit, importance_per_token)

/// An argument that only says that there is none.
struct NoState {};

ATTN_OPTIONS(CompareOptions, mask, scale, epsilon, denominator)

template <>
struct Convert<NoState> {
  static constexpr const char *kKind = "byHand", *kName = "";
  static void from_js(const val& value, const Argument& argument, NoState&) {
    if (!is_undefined(value)) {
      throw ValueError(argument.text(), phrase::given, phrase::empty_state);
    }
  }
};

}  // namespace attn::wasm
