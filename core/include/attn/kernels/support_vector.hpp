#pragma once
// Support vector machines, solved by SMO in steps.

#include <memory>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {
namespace internal {
template <typename T>
struct SmoSolver;
}  // namespace internal

struct SupportVectorOptions {
  /// The bound of every α, > 0: large C follows the points, small C keeps the function small.
  double C = 1;
  /// The gap of the Karush–Kuhn–Tucker conditions at which SMO stops.
  double tolerance = 1e-3;
  /// Stops after so many pairs, converged or not.
  Index max_steps = 10'000'000;
  /// Whether `trace` is kept: for display, up to `kMaxSmoTrace` steps.
  bool trace = false;
};

inline constexpr Index kMaxSmoTrace = 20'000;

/// What one step of SMO did to one pair.
struct SmoStep {
  /// The variables: i violates its condition most, j promises the most together with it. In
  /// regression, variables N … 2N − 1 are the α* of the points.
  Index i = 0, j = 0;
  double i_before = 0, i_after = 0, j_before = 0, j_after = 0;
  /// The gap before the step, of the points that took part in it, and what the step added to the
  /// dual objective.
  double gap = 0, gain = 0;
};

/// What both machines have in common.
template <typename T = float>
struct SupportVectorState {
  /// f(x) = Σ coefficients_i·k(x_i, x) + bias: α_i·y_i, or α_i − α*_i. 0 for a point that need not
  /// be kept.
  Vector<T> coefficients;
  double bias = 0;
  /// f at the points.
  Vector<T> decision;
  /// The maximised Σα − ½ΣΣαα yy K (or its form for regression), and what it bounds from below: the
  /// minimised ½‖w‖² + C·Σξ. Their difference certifies the solution.
  double dual_objective = 0, primal_objective = 0;
  /// ‖w‖², without the bias.
  double norm_squared = 0;
  /// The largest violation of the Karush–Kuhn–Tucker conditions, m(α) − M(α).
  double gap = 0;
  bool converged = false;
  Index steps = 0;
  /// Points with α > 0, and those of them at the bound C.
  Index support_vectors = 0, bounded = 0;
  /// Steps along which the objective bent the wrong way: the kernel is indefinite, the objective
  /// may have several maxima, and the solution is a stationary point (Lin and Lin 2003). 0 for
  /// kernels.
  Index negative_curvature = 0;
  std::vector<SmoStep> trace;
};

template <typename T = float>
struct SupportVectorClassification : SupportVectorState<T> {
  /// 0 ≤ α_i ≤ C
  Vector<T> alpha;
  /// The share of points on the right side.
  double accuracy = 0;
};

template <typename T = float>
struct SupportVectorRegression : SupportVectorState<T> {
  /// α and α*: for ε > 0 at most one of each pair is above 0.
  Vector<T> alpha, alpha_star;
};

/// The soft-margin classifier: max Σα_i − ½ΣΣα_iα_j y_iy_j K_ij with 0 ≤ α_i ≤ C and Σα_iy_i = 0
/// (Cortes and Vapnik 1995), by sequential minimal optimisation with the second-order choice of
/// pairs (Fan, Chen and Lin 2005, WSS 2), as in LIBSVM with the whole Gram matrix in memory:
/// 4·N² bytes in float32, and once more for what is left of it where points are left out on the
/// way, which changes no result beyond the tolerance. A step costs 4·N operations; the number of
/// steps grows with N and C. Where no α is strictly between 0 and C, the bias is the middle of the
/// interval that the conditions leave. Points that occur twice are no special case; an indefinite
/// matrix gives a stationary point and is counted in `negative_curvature`.
///
///   SupportVectorClassifier machine(gram, y, options);
///   while (!machine.step(100)) …
template <typename T = float>
class SupportVectorClassifier {
 public:
  /// @param gram N×N. @param y N labels, −1 or 1.
  /// @throws ShapeError; ValueError for numbers that are not finite, a matrix that is not
  /// symmetric, other labels, points of one label only, and unless C > 0, tolerance > 0 and
  /// max_steps ≥ 0.
  SupportVectorClassifier(Matrix<T> gram, InVector<T> y, const SupportVectorOptions& options = {});
  ~SupportVectorClassifier();
  SupportVectorClassifier(SupportVectorClassifier&&) noexcept;
  SupportVectorClassifier& operator=(SupportVectorClassifier&&) noexcept;

  /// Optimises up to `pairs` more pairs; returns true when the gap is at most the tolerance.
  bool step(Index pairs);
  /// 0 … 1 by the logarithm of the gap, never falling.
  double progress() const;
  SupportVectorClassification<T> result() const;

 private:
  std::unique_ptr<internal::SmoSolver<T>> solver_;
};

/// Regression with an insensitive tube: min ½‖w‖² + C·Σmax(0, |f(x_i) − y_i| − ε) (Vapnik 1995;
/// Smola and Schölkopf 2004, eq. 10). Solved as the classifier, over 2N variables.
template <typename T = float>
class SupportVectorRegressor {
 public:
  /// @throws as the classifier, with any finite y; ValueError unless epsilon ≥ 0.
  SupportVectorRegressor(Matrix<T> gram, InVector<T> y, double epsilon,
                         const SupportVectorOptions& options = {});
  ~SupportVectorRegressor();
  SupportVectorRegressor(SupportVectorRegressor&&) noexcept;
  SupportVectorRegressor& operator=(SupportVectorRegressor&&) noexcept;

  bool step(Index pairs);
  double progress() const;
  SupportVectorRegression<T> result() const;

 private:
  std::unique_ptr<internal::SmoSolver<T>> solver_;
};

/// 1/(d·variance of all entries): the γ of an RBF kernel that scikit-learn's SVC begins with
/// ("scale"). Another unit of the entries changes it so that the kernel stays the same. X is n×d.
/// ∞ where all entries are equal.
template <typename T = float>
double scale_gamma(In<T> X);

}  // namespace attn
