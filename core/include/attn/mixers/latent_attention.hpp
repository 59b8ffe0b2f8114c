#pragma once
// Multi-head latent attention: keys and values of all heads are made from one short vector a token,
// and only that is kept. DeepSeek-V2, arXiv:2405.04434, section 2.1; conventions of
// deepseek-ai/DeepSeek-V3's inference code.

#include <optional>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/mixers/positions.hpp"

namespace attn {

/// Every W is outputs×inputs. Letters: h heads; `nope` entries of a key without and `rope` entries
/// with rotation; d_c the width of the latent vector.
template <typename T = float>
struct LatentAttentionWeights {
  Index heads = 1, nope = 1, rope = 2;
  /// h·(nope + rope) × d_model; or, with `q_down`, × the width of the queries' own latent vector.
  Matrix<T> q;
  /// d_q×d_model and the gains of its RMSNorm, d_q: queries are made from a latent vector too.
  /// Empty for queries made directly.
  Matrix<T> q_down;
  Vector<T> q_norm;
  /// (d_c + rope)×d_model: the latent vector, then the one rotated key that all heads share.
  Matrix<T> kv_down;
  /// d_c: gains of the latent vector's RMSNorm.
  Vector<T> kv_norm;
  /// h·(nope + d_v) × d_c: for each head the rows of its keys, then those of its values.
  Matrix<T> kv_up;
  /// d_model × h·d_v
  Matrix<T> out;

  /// d_v. @throws ShapeError, ValueError for weights that do not fit.
  Index value_width() const;
};

struct LatentAttentionOptions {
  double base = 10000, epsilon = 1e-6;
  /// The position of the first row.
  Index offset = 0;
  std::optional<YarnOptions> yarn;
  /// With YaRN the scale grows by (0.1·magnitude·ln(factor) + 1)².
  double magnitude = 1;
};

/// The two ways to the same numbers.
enum class LatentForm {
  /// Keys and values of every head are made from the latent vectors: cheapest for a whole sequence.
  kNaive,
  /// Queries are taken to the latent vectors instead, so that what is kept is used as it is: n²
  /// products of width d_c + rope, and no keys or values at all. The form for decoding.
  kAbsorbed,
};

template <typename T = float>
struct LatentAttentionResult {
  /// n×d_model
  Matrix<T> output;
  /// What a cache keeps: n×d_c after its norm, and n×rope after rotation.
  Matrix<T> latent, rotated_key;
  /// One n×n for each head.
  std::vector<Matrix<T>> weights;
};

/// Causal attention of h heads; scores (q_nope·k_nope + q_rope·k_rope)·scale with scale =
/// (nope + rope)^(−½), and YaRN's factor. X n×d_model. The state are d_c + rope numbers a token
/// instead of h·(nope + rope + d_v).
/// @throws ShapeError, ValueError
template <typename T = float>
LatentAttentionResult<T> latent_attention(
    In<T> X, const LatentAttentionWeights<std::type_identity_t<T>>& weights,
    const LatentAttentionOptions& options = {}, LatentForm form = LatentForm::kNaive);

/// What decoding keeps: `latent` and `rotated_key` of the tokens so far.
template <typename T = float>
struct LatentAttentionCache {
  Matrix<T> latent, rotated_key;
};

/// Keeps tokens of which no output is wanted, X r×d_model, the first at position `options.offset`:
/// the cache is what r steps leave, up to rounding. O(r).
/// @throws as `latent_attention_step`
template <typename T = float>
void latent_attention_read(In<T> X, const LatentAttentionWeights<std::type_identity_t<T>>& weights,
                           const LatentAttentionOptions& options,
                           LatentAttentionCache<std::type_identity_t<T>>& cache);

/// The next token, 1×d_model, at position `options.offset`: the row that `latent_attention` gives
/// for it. In the absorbed form; adds its d_c + rope numbers to the cache.
/// @throws as `latent_attention`, and ShapeError for a cache of other widths.
template <typename T = float>
Matrix<T> latent_attention_step(In<T> x,
                                const LatentAttentionWeights<std::type_identity_t<T>>& weights,
                                const LatentAttentionOptions& options,
                                LatentAttentionCache<std::type_identity_t<T>>& cache);

template <typename T = float>
struct LatentAttentionGradients {
  Matrix<T> dX;
  LatentAttentionWeights<T> d_weights;
};

/// Gradients of Σ output ∘ dO, through the naive form, which is computed again.
/// @throws as `latent_attention`, and for a dO of another shape.
template <typename T = float>
LatentAttentionGradients<T> latent_attention_backward(
    In<T> X, const LatentAttentionWeights<std::type_identity_t<T>>& weights, In<T> dO,
    const LatentAttentionOptions& options = {});

/// The speeds with which positions turn the rotated entries.
Vector<double> latent_speeds(Index rope, const LatentAttentionOptions& options);

/// The factor on the scores.
double latent_scale(Index key_width, const LatentAttentionOptions& options);

}  // namespace attn
