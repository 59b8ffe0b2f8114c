#pragma once
// What the weights of a layer say of its heads: how large the vectors are that attention weighs,
// whether queries and keys are symmetric, whether a head copies, and whether two heads make an
// induction circuit.
//
// As torch writes layers, y = xWᵀ + b: every W is outputs×inputs. Head i has the rows i·d … of Wq,
// Wk and Wv, and the columns i·d_v … of Wo. D is the width of the model.

#include <span>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

template <typename T = float>
struct WeightedNorms {
  /// h×m: ‖f(x_j)‖, what a key adds where it has all the weight. Beside the weights it says whether
  /// a bright column carries anything; uniform attention gives each key ‖f(x_j)‖/m.
  Matrix<T> value_norm;
  /// One n×m matrix a head: ‖A_ij·f(x_j)‖ = A_ij·‖f(x_j)‖.
  std::vector<Matrix<T>> norm;
  /// n×m: ‖Σ_h A_ij·f_h(x_j)‖. The heads' vectors are added first, so that this is not the sum of
  /// their norms.
  Matrix<T> norm_sum;
  /// n×outputs: Σ_j Σ_h A_ij·f_h(x_j), the layer without the bias of its output.
  Matrix<T> output;
};

/// The norms of what attention weighs, f(x) = (x·Wvᵀ + bv)·Woᵀ for each head (Kobayashi et al.
/// 2020, arXiv:2004.10102, section 3): large weights on a token whose vector is small do little.
/// `weights` has A (n×m) of each of the h heads, X the m keys' inputs (m×D), Wv h·d_v×D, Wo
/// outputs×h·d_v, bv h·d_v entries or none. O(h·m·outputs·(d_v + n)) and h·m·D·d_v.
/// @throws ShapeError, ValueError for weights that are negative, or numbers that are not finite
template <typename T = float>
WeightedNorms<T> norm_weighted_attention(std::span<const Matrix<T>> weights, In<T> X, In<T> Wv,
                                         In<T> Wo, InVector<T> bv = Vector<T>());

struct QkSymmetry {
  /// One entry a head, −1 … 1: 1 for a symmetric M, −1 for an antisymmetric one, NaN for M = 0.
  std::vector<double> symmetry;
  /// h×2: ‖M_s‖² and ‖M_a‖².
  Matrix<double> norm2;
  /// What Gaussian weights of this width have: 1/D on average, not 0, with a standard deviation of
  /// about √2/D.
  double random_mean = 0, random_deviation = 0;
};

/// The symmetry s = (‖M_s‖² − ‖M_a‖²)/‖M‖² of M = Wqᵀ·Wk of each head, with its symmetric and
/// antisymmetric part (Saponati et al. 2025, arXiv:2502.10927, eq. 9, whose code gives (s + 1)/2
/// over all heads together). Models that see both sides learn symmetric M, causal ones do not. Wq
/// h·d×D, Wk hk·d×D; query head i reads key head ⌊i/(h/hk)⌋. Biases and rotary positions play no
/// part: with rotary M depends on the distance, and this is that of distance 0. O(h·d²·D): by
/// ‖M_s‖² − ‖M_a‖² = tr(M²) = tr((Wk·Wqᵀ)²) no D×D matrix is made.
/// @throws ShapeError, ValueError for heads that do not divide, or weights that are not finite
template <typename T = float>
QkSymmetry qk_symmetry(In<T> Wq, In<T> Wk, Index heads, Index kv_heads);

/// A V×V matrix of scores between tokens, read for its diagonal: "the same token".
struct CircuitScore {
  /// The share of rows whose largest entry is on the diagonal, and 1/V, that of a guess.
  double share = 0, chance = 0;
  /// The mean over rows of (diagonal − mean of the row)/(standard deviation of the row): 0 for
  /// weights that know nothing of the token. Rows without any spread count as 0.
  double lift = 0;
  /// The same two numbers for the next token, C[i, i+1 mod V], a relation that does not hold.
  double share_elsewhere = 0, lift_elsewhere = 0;
};

/// Whether each head copies: the diagonal of E·Wvᵀ·Woᵀ·U, how far attending to a token raises that
/// token's own logit (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", OV
/// circuit). E V×D, Wv hk·d_v×D, Wo D×h·d_v, U V×D (E itself where they are tied). From the weights
/// alone: norms and positions are left out. O(h·V²·d_v + h·V·D·d_v).
/// @throws ShapeError, ValueError for heads that do not divide, or weights that are not finite
template <typename T = float>
std::vector<CircuitScore> copying_scores(In<T> E, In<T> Wv, In<T> Wo, In<T> U, Index heads,
                                         Index kv_heads);

/// Whether a head looks for the token behind an earlier equal one, through a head of an earlier
/// layer that moved each token to the place after it: the diagonal of C = E·Wqᵀ·Wk·(E·Wvᵀ·Woᵀ)ᵀ,
/// the score of query token a with a key whose predecessor was b (Elhage et al. 2021,
/// K-composition). Wq, Wk d×D of the later head; Wv d_v×D and Wo D×d_v of the earlier one. O(V²·d +
/// V·D·(d + d_v)).
/// @throws ShapeError, ValueError for weights that are not finite
template <typename T = float>
CircuitScore induction_circuit(In<T> E, In<T> Wq, In<T> Wk, In<T> Wv, In<T> Wo);

}  // namespace attn
