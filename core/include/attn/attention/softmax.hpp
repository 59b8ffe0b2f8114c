#pragma once
// The softmax of one vector, its gradient, and its entropy.

#include "attn/base/tensor.hpp"

namespace attn {

template <typename T = float>
struct SoftmaxResult {
  /// n: sums to 1, or is 0 where every logit is −∞.
  Vector<T> weights;
  /// ln Σ exp(x_i); −∞ where every logit is −∞.
  T log_sum_exp = 0;
};

/// p_i = exp(x_i − max x) / Σ_j exp(x_j − max x). −∞ blocks an entry. O(n).
/// @throws ShapeError when x is empty, ValueError when it holds NaN or +∞.
template <typename T = float>
SoftmaxResult<T> softmax(InVector<T> x);

/// ∂p_i/∂x_j = p_i(δ_ij − p_j): diag(p) − ppᵀ. n×n, symmetric, rows sum to 0. O(n²).
///
/// 1 − p_i is summed from the other entries, so a saturated row keeps its digits: at p = (1 − ε, ε)
/// the subtraction itself would have none left.
/// @param p a row of attention weights: entries ≥ 0 with sum 1, or all 0 (a query that sees
/// nothing).
/// @throws ShapeError, ValueError
template <typename T = float>
Matrix<T> softmax_jacobian(InVector<T> p);

/// ‖diag(p) − ppᵀ‖_F without forming the matrix: √Σ_i p_i²((1 − p_i)² + Σ_{j≠i} p_j²). 0 for a
/// saturated row, √(n − 1)/n for equal weights, never more than ½ (‖J‖² ≤ Σp² − (Σp²)² ≤ ¼, since
/// (Σp²)² ≤ Σp³). Summed in float64 without cancellation. O(n).
/// @throws as `softmax_jacobian`
template <typename T = float>
double softmax_jacobian_norm(InVector<T> p);

/// H = −Σ p_i ln p_i in nats, with 0·ln 0 = 0: between 0 and ln n. exp(H) is the number of keys a
/// query effectively looks at. Summed in float64. O(n).
/// @throws as `softmax_jacobian`
template <typename T = float>
double entropy(InVector<T> p);

}  // namespace attn
