#pragma once
// Whether a Gram matrix is positive semidefinite, and what shows that it is not.

#include <cstdint>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/kernels/kernel.hpp"

namespace attn {

/// What the eigenvalues of a symmetric matrix say, in float64.
struct DefinitenessReport {
  /// All N eigenvalues, the smallest first.
  std::vector<double> eigenvalues;
  /// No eigenvalue is below −tolerance·(the largest absolute value of one).
  bool positive_semidefinite = false;
  double tolerance = 0;
  /// Weights α of the points with αᵀKα < 0 and ‖α‖ = 1, the eigenvector of the smallest eigenvalue
  /// with its largest entry positive. Empty where the matrix is positive semidefinite.
  std::vector<double> witness;
  /// αᵀKα, summed from K itself and not read off the eigenvalue; 0 without a witness.
  double form = 0;
};

/// The smallest share of the largest eigenvalue that counts as negative in float64.
inline constexpr double kDefinitenessTolerance = 1e-9;

/// The tolerance for an N×N matrix whose entries are rounded to T: N·ε of T, at least
/// `kDefinitenessTolerance`. Rounding the entries by ε moves eigenvalues by up to N·ε.
template <typename T = float>
double definiteness_tolerance(Index N);

/// The largest matrix of which all eigenvectors are computed.
inline constexpr Index kMaxDefinitenessRows = 512;

/// The eigenvalues of K (N×N, symmetric up to `kSymmetry`; (K + Kᵀ)/2 is used), and a witness where
/// one is negative. Eigen's SelfAdjointEigenSolver: about 9·N³ operations, N² float64 of memory.
/// @param tolerance 0: `definiteness_tolerance<T>(N)`.
/// @throws ShapeError unless K is square and not empty; ValueError where it is not symmetric or not
/// finite, or for a tolerance outside 0 … below 1; CapacityError for more than
/// `kMaxDefinitenessRows` rows.
template <typename T = float>
DefinitenessReport check_definiteness(In<T> K, double tolerance = 0);

/// αᵀKα of the weights `alpha` for the points with the Gram matrix K (N×N). O(N²).
/// @throws ShapeError where alpha has not N entries.
template <typename T = float>
double quadratic_form(In<T> K, InVector<T> alpha);

struct WitnessSearchOptions {
  /// How many points are placed, and in how many dimensions.
  Index points = 4, d = 2;
  /// Points lie in [−range, range]^d, or in [0, range]^d for a kernel of non-negative points.
  double range = 3;
  /// How many sets of points are tried.
  Index tries = 2000;
  std::uint64_t seed = 0;
};

struct WitnessSearchResult {
  /// The points with the most negative eigenvalue, relative to the largest one, of all tried.
  Matrix<float> points;
  DefinitenessReport report;
  /// How many sets of points have been tried.
  Index tried = 0;
};

/// The most points that a search places.
inline constexpr Index kMaxWitnessPoints = 16;

/// Looks for points whose Gram matrix has a negative eigenvalue: the first half of the tries draws
/// sets of points, of all sizes up to the range; the second half moves one point of the best set at
/// a time and keeps what makes the smallest eigenvalue more negative. Finding none proves nothing.
/// In float64; a try costs one Gram matrix and its eigenvalues.
class WitnessSearch {
 public:
  /// @throws ValueError for points outside 2 … `kMaxWitnessPoints`, d outside 1 … 64, a range that
  /// is not positive and finite, or tries outside 1 … 10⁶.
  WitnessSearch(Kernel<double> kernel, bool non_negative_points, WitnessSearchOptions options);

  /// Makes up to `amount` tries; returns whether all are done.
  bool step(int amount);
  /// 0 … 1
  double progress() const;
  WitnessSearchResult result() const;

 private:
  Matrix<double> draw(Index at) const;
  double smallest_share(const Matrix<double>& X) const;

  Kernel<double> kernel_;
  bool non_negative_;
  WitnessSearchOptions how_;
  Matrix<double> best_;
  double best_share_ = 0;
  Index tried_ = 0;
};

}  // namespace attn
