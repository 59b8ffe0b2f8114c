#pragma once
// Features z with z(x)·z(y) ≈ k(x, y): random Fourier features of kernels of x − y, and Nyström
// features of any kernel. With them a kernel method becomes a linear one.

#include <cstdint>
#include <span>
#include <vector>

#include "attn/analysis/gradient_quantiles.hpp"
#include "attn/base/tensor.hpp"
#include "attn/kernels/kernel.hpp"

namespace attn {

// --- Random Fourier features ---------------------------------------------------------------------

/// How frequencies become features.
enum class FourierForm {
  /// √(2/D)·cos(w·x + b), one frequency w and one phase b for each of D features.
  kOffset,
  /// √(2/D)·[cos(w·x), sin(w·x)], D/2 frequencies.
  kPaired,
  /// As kPaired, with frequencies that are orthogonal in blocks of d (rbf only).
  kOrthogonal,
};

/// Frequencies and phases, as scikit-learn's RBFSampler has them.
template <typename T = float>
struct FourierFrequencies {
  /// d×(number of frequencies).
  Matrix<T> W;
  /// One phase in [0, 2π) for each frequency; empty for pairs of cosine and sine.
  Vector<T> b;
};

/// Draws the frequencies of D features of points of width d from the kernel's Fourier transform
/// (Bochner's theorem; Rahimi and Recht 2007, "Random Features for Large-Scale Kernel Machines").
/// rbf: N(0, 2γI). laplacian: Cauchy of scale γ in each coordinate. matern_…: Student t with 2ν
/// degrees of freedom, over ℓ. Orthogonal frequencies: Yu et al. 2016 (arXiv:1610.09072). O(D·d²).
/// @throws ValueError for another kernel, for orthogonal frequencies of another kernel than rbf,
/// for a D below 1 or above `kMaxKernelFeatures`, or an odd D of a paired form; and as `Kernel`.
template <typename T = float>
FourierFrequencies<T> draw_frequencies(std::string_view kernel, const KernelParameters& parameters,
                                       Index d, Index D, FourierForm form, std::uint64_t seed);

/// √(2/D)·cos(XW + b): N×D for X N×d and W d×D. N·d·D multiply-adds.
/// @throws ShapeError where W or b does not fit; ValueError where an entry is not finite.
template <typename T = float>
Matrix<T> random_fourier_features(In<T> X, In<T> W, InVector<T> b);

/// √(2/D)·[cos(XW), sin(XW)]: N×D for X N×d and W d×(D/2). N·d·D/2 multiply-adds.
/// @throws as `random_fourier_features`.
template <typename T = float>
Matrix<T> paired_fourier_features(In<T> X, In<T> W);

/// Features of the form for which the frequencies were drawn.
template <typename T = float>
Matrix<T> fourier_features(In<T> X, const FourierFrequencies<T>& frequencies);

/// Variances of z(x_i)·z(x_j) for one feature of kOffset, 1 + k(2δ)/2 − k(δ)², and for one
/// frequency of kPaired, (1 + k(2δ))/2 − k(δ)², at every δ = x_i − x_j (Sutherland and Schneider
/// 2015, arXiv:1506.02785, proposition 1). The mean of D features has one D-th of it.
template <typename T = float>
struct FourierVariance {
  /// N×N each.
  Matrix<T> offset, paired;
};

/// @throws ValueError for a kernel that is not stationary; as `Kernel::gram`.
template <typename T = float>
FourierVariance<T> fourier_variance(const Kernel<T>& kernel, In<T> X);

/// Variances at some distances in one coordinate, of estimates with D features each.
template <typename T = float>
struct FeatureVariance {
  /// k(δ), and the variances of D features of kOffset and of kPaired.
  Vector<T> kernel, offset, paired;
};

/// `fourier_variance` at pairs of points of that distance δ, over D features: offset/D, and
/// paired/(D/2), because D features of kPaired have half as many frequencies. O(N).
/// @throws ValueError for a kernel that is not stationary, a distance that is not finite, or D < 1.
template <typename T = float>
FeatureVariance<T> feature_variance(const Kernel<T>& kernel, InVector<T> distances, Index D);

/// Kernel smoothing with features in place of the kernel, φ(q)·Σφ(k)vᵀ over φ(q)·Σφ(k), of features
/// that are written (n×D, m×D) and values (m×d_v): n×d_v. The sums over the keys are made first, so
/// no n×m matrix occurs: (n + m)·D·(d_v + 1) multiply-adds.
/// @throws ShapeError where the shapes do not fit.
template <typename T = float>
Matrix<T> feature_smoothing(In<T> queries, In<T> keys, In<T> V);

// --- Nyström -------------------------------------------------------------------------------------

/// K_XL·K_LL^{−1/2}: N×M features of the rows of X, for the landmarks L (M×d) (Williams and Seeger
/// 2001, "Using the Nyström Method to Speed Up Kernel Machines"). Their products are
/// K_XL·K_LL⁺·K_LX, and exact where x or y is a landmark. Eigenvalues of K_LL within rounding count
/// as 0, so landmarks may be equal. The inverse root in float64: O(M³ + N·M·(d + M)).
/// @throws as `Kernel::gram`; CapacityError for more than `kMaxLandmarks`.
template <typename T = float>
Matrix<T> nystroem_features(const Kernel<T>& kernel, In<T> X, In<T> landmarks);

/// `count` different rows of 0 … N − 1, drawn with equal chances, in increasing order. O(N).
/// @throws ValueError for a count outside 1 … N.
std::vector<Index> draw_landmarks(Index N, Index count, std::uint64_t seed);

inline constexpr Index kMaxLandmarks = 512;
inline constexpr Index kMaxKernelFeatures = 8192;

/// How much each point matters at a regularisation λ, and how many features that asks for.
struct LeverageReport {
  /// ℓ_i = (K(K + λI)⁻¹)_ii, between 0 and 1: the ridge leverage score of each point.
  std::vector<double> scores;
  /// Σℓ_i = Σ σ_i/(σ_i + λ), the effective dimension: about as many Nyström landmarks or features
  /// as ridge regression with λ can use (Alaoui and Mahoney 2015, arXiv:1411.0306).
  double effective_dimension = 0;
  /// The share of ‖K‖ that the best approximation of each rank 0 … N misses, in the Frobenius norm:
  /// √(Σ_{i > r} σ_i²/Σσ_i²). No features of rank r do better (Eckart and Young 1936).
  std::vector<double> best_errors;
};

/// Leverage scores of the rows of X. In float64, by the eigenvectors of the Gram matrix;
/// eigenvalues below 0 count as 0. O(N³).
/// @throws ValueError unless λ is positive and finite; CapacityError for more than
/// `kMaxLandmarks` points; as `Kernel::gram`.
template <typename T = float>
LeverageReport leverage_scores(const Kernel<T>& kernel, In<T> X, double lambda);

// --- Both on the same data -----------------------------------------------------------------------

/// The ways to approximate that are compared.
enum class KernelApproximation { kOffset, kPaired, kOrthogonal, kNystroem };

struct ApproximationOptions {
  /// The kernel, one with a known spectrum, and its parameters.
  std::string kernel = "rbf";
  KernelParameters parameters = {};
  /// The numbers of features D to be tried; even.
  std::vector<Index> features;
  /// How often features are drawn for each D.
  Index draws = 10;
  std::uint64_t seed = 0;
};

/// What one number of features costs and how far off it is, for one way to approximate.
struct ApproximationPoint {
  KernelApproximation approximation = KernelApproximation::kOffset;
  Index D = 0;
  /// ‖ZZᵀ − K‖/‖K‖ in the Frobenius norm, one for each draw.
  std::vector<double> gram_errors;
  /// ‖output − exact output‖/‖exact output‖ of kernel smoothing (`smooth`) with ZZᵀ for K, one for
  /// each draw. Not finite where a sum of weights is 0.
  std::vector<double> smoothing_errors;
  /// The same in short, once all draws are made.
  Summary gram_error, smoothing_error;
  /// Multiply-adds to write the features, and then to smooth with them: Σ z(k)vᵀ first, then its
  /// product with each z(q), with the sums of the weights.
  double feature_multiply_adds = 0, smoothing_multiply_adds = 0;
};

struct ApproximationResult {
  std::vector<ApproximationPoint> points;
  /// Multiply-adds of the implicit way: the Gram matrix, and smoothing with it. No φ is written.
  double implicit_gram = 0, implicit_smoothing = 0;
  /// For ridge regression on the same points: N³/6 for the Cholesky factor of K + λI.
  double implicit_ridge = 0;
  /// √(Σ_{i > D} σ_i²/Σσ_i²) for each of `features`: what the best D features miss.
  std::vector<double> best_gram_errors;
};

/// Multiply-adds of both uses of one trick, for n points of width d with d_v values each and D
/// features of the kind kOffset.
struct KernelTrickCosts {
  /// The Gram matrix n²·d and its product with V and with ones, n²·(d_v + 1).
  double implicit_smoothing = 0;
  /// The features n·d·D, Σ z(k)vᵀ and the product with each z(q), 2·n·D·(d_v + 1).
  double explicit_smoothing = 0;
  /// The Gram matrix and the Cholesky factor of K + λI, n³/6.
  double implicit_ridge = 0;
  /// The features, ZᵀZ with n·D²/2, and its Cholesky factor D³/6.
  double explicit_ridge = 0;
};

/// O(1).
/// @throws ValueError unless each is at least 1.
KernelTrickCosts kernel_trick_costs(Index n, Index d, Index d_v, Index D);

/// Approximates one kernel on one set of points (X N×d with values V N×d_v) by features of every
/// kind. One step is one draw of one kind at one D.
class ApproximationExperiment {
 public:
  /// @throws ShapeError, ValueError, CapacityError as the functions above; CapacityError for more
  /// than `kMaxLandmarks` points.
  ApproximationExperiment(In<float> X, In<float> V, ApproximationOptions options);

  bool step(int amount);
  double progress() const;
  ApproximationResult result() const { return result_; }

 private:
  void draw(ApproximationPoint& point, Index which) const;

  Matrix<float> X_, V_;
  ApproximationOptions how_;
  Matrix<double> K_, smoothed_;
  double norm_ = 0, smoothed_norm_ = 0;
  Index done_ = 0;
  ApproximationResult result_;
};

}  // namespace attn
