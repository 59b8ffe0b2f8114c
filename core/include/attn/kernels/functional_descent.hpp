#pragma once
// Gradient descent in the space of functions, which never leaves the span of the data's bumps.

#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// ℓ(y, f) of one point.
enum class PointLoss {
  kSquared,   ///< (f − y)²
  kLogistic,  ///< ln(1 + e^{−y·f}) for y = ±1
  kHinge,     ///< max(0, 1 − y·f) for y = ±1; at the kink the slope is 0.
  kAbsolute,  ///< |f − y|; at the kink the slope is 0.
};

struct FunctionalDescentOptions {
  PointLoss loss = PointLoss::kSquared;
  /// λ of the penalty λ‖f‖²; 0 for none.
  double lambda = 0.1;
  double learning_rate = 0.1;
  Index steps = 200;
  /// A row of `history` for every so many steps and one for the start; 0: no history.
  Index history_every = 0;
};

/// The most steps of one descent.
inline constexpr Index kMaxDescentSteps = 100'000;

/// The function before a step, and behind the last one.
struct DescentPoint {
  /// (1/N)Σℓ(y_i, f(x_i))
  double loss = 0;
  /// ‖f‖²
  double norm_squared = 0;
  /// loss + λ‖f‖²
  double objective = 0;
  /// The squared norm of the part of f that is orthogonal to the span of the N bumps. It is 0 at
  /// all data points, so that it changes no loss.
  double orthogonal_squared = 0;
};

template <typename T = float>
struct FunctionalDescentResult {
  /// f = Σ_c α_c k(x_c, ·) over all centres: first the N points, then those that have no target.
  Vector<T> alpha;
  /// f at all centres.
  Vector<T> values;
  /// One entry more than steps.
  std::vector<DescentPoint> curve;
  /// α at steps 0, history_every, 2·history_every, …: a row each.
  Matrix<T> history;
  /// The largest learning rate with which the descent settles: 2/(curvature), where the curvature
  /// is 2λ + ℓ''·(largest eigenvalue of K)/N; ℓ'' is 2 for the squared loss and at most ¼ for the
  /// logistic one. Infinite for losses without curvature if λ is 0; there a fixed rate ends in a
  /// band around the minimum.
  double largest_rate = 0;
};

/// Minimises (1/N)Σℓ(y_i, f(x_i)) + λ‖f‖² over the RKHS by f ← f − rate·∇, where the gradient in
/// the function space is (1/N)Σℓ'(y_i, f(x_i))·k(x_i, ·) + 2λf, by the reproducing property. In
/// coefficients: α ← (1 − 2·rate·λ)α − (rate/N)ℓ'. A step adds one bump for each data point and
/// nothing else (Kivinen, Smola and Williamson 2004, section 3). N·C multiply-adds a step for C
/// centres, in float64.
///
///   FunctionalDescent descent(gram, y, options);
///   while (!descent.step(10)) …
template <typename T = float>
class FunctionalDescent {
 public:
  /// @param gram C×C, k between all centres: the N points with a target first. C ≥ N.
  /// @param start C coefficients to begin from; empty: all 0. Centres without a target begin with a
  /// part that is orthogonal to the span of the points; the descent can only shrink it.
  /// @throws ShapeError; ValueError unless λ ≥ 0, rate > 0 and 1 ≤ steps ≤ kMaxDescentSteps, for
  /// numbers that are not finite, for a Gram matrix that is not symmetric and positive semidefinite
  /// (the latter only where centres without a target make it necessary), and for labels other than
  /// ±1 where the loss needs them.
  FunctionalDescent(In<T> gram, InVector<T> y, const FunctionalDescentOptions& options,
                    InVector<T> start);

  /// Makes up to `steps` more steps; returns true when all are made. A descent that diverges stops
  /// when the objective overflows, and its curve is shorter.
  bool step(Index steps);
  double progress() const;
  FunctionalDescentResult<T> result() const;

 private:
  void measure();

  Matrix<double> gram_, orthogonal_;
  Vector<double> y_, alpha_, values_, slope_;
  FunctionalDescentOptions options_;
  Index done_ = 0;
  bool diverged_ = false;
  double largest_rate_ = 0;
  std::vector<DescentPoint> curve_;
  std::vector<Vector<double>> history_;
};

}  // namespace attn
