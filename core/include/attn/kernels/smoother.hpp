#pragma once
// Kernel smoothing: each query receives the mean of the values, weighted by the kernel of the query
// with each key. Softmax attention is this with the kernel e^{q·k/√d}.

#include <cstdint>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/kernels/kernel.hpp"
#include "attn/nn/adamw.hpp"

namespace attn {

template <typename T = float>
struct SmootherResult {
  /// k(q_i, k_j)/Σ_j k(q_i, k_j), n×m.
  Matrix<T> weights;
  /// weights·V, n×d_v.
  Matrix<T> output;
  /// Σ_j k(q_i, k_j) before the division, n entries.
  Vector<T> sums;
};

/// Nadaraya and Watson's estimator (Nadaraya 1964, Watson 1964) for Q n×d, K m×d, V m×d_v. A query
/// whose sum is 0, because every kernel value underflows, has weights and outputs 0, like a query
/// of attention that sees no key. With a kernel that takes negative values sums can be near 0 or
/// negative; the quotients are returned as they are. n·m·(d + d_v) multiply-adds.
/// @throws as `Kernel::gram`; ShapeError where V has not one row for each key.
template <typename T = float>
SmootherResult<T> nadaraya_watson(const Kernel<T>& kernel, In<T> Q, In<T> K, In<T> V);

/// The weights of softmax attention beside those of a smoother.
template <typename T = float>
struct SmootherComparison {
  SmootherResult<T> smoother;
  /// softmax(s·QKᵀ) with the s that the kernel says: `scale` of the exponential kernel, 2γ of the
  /// Gaussian; and its output.
  Matrix<T> attention_weights, attention_output;
  double scale = 0;
  /// softmax(s·QKᵀ + bias) with bias_j = −γ‖k_j‖² for the Gaussian kernel, 0 for the exponential:
  /// e^{−γ‖q−k‖²} = e^{−γ‖q‖²}·e^{2γ q·k}·e^{−γ‖k‖²}, and the first factor cancels.
  Matrix<T> biased_weights;
  /// The largest difference of weights from the smoother's, without and with the bias.
  double difference = 0, biased_difference = 0;
  /// The smallest and the largest ‖k_j‖. Where they are equal the bias cancels too.
  double smallest_key_norm = 0, largest_key_norm = 0;
};

/// Smooths with the exponential or the Gaussian kernel and, with the same Q, K and V, attends
/// (Tsai et al. 2019, "Transformer Dissection", arXiv:1908.11775).
/// @throws ValueError for another kernel than `exponential` and `rbf`; as `nadaraya_watson`.
template <typename T = float>
SmootherComparison<T> compare_smoother_with_attention(std::string_view kernel,
                                                      const KernelParameters& parameters, In<T> Q,
                                                      In<T> K, In<T> V);

/// What queries and keys that are projected differently leave of a kernel.
template <typename T = float>
struct ProjectedKernel {
  /// e^{(W_q x_i)·(W_k x_j)/√d_k}, N×N.
  Matrix<T> values;
  /// ‖A − Aᵀ‖/‖A‖ in the Frobenius norm: 0 for a symmetric matrix.
  double asymmetry = 0;
  /// The smallest eigenvalue of (A + Aᵀ)/2 over the largest: negative where not even the symmetric
  /// part is a kernel.
  double smallest_share = 0;
};

/// The matrix of exponential scores of N points with themselves, for W_q and W_k of shape d_k×d.
/// With W_q = W_k it is the Gram matrix of a kernel; otherwise it is in general not symmetric.
/// @throws ShapeError where the widths do not fit; ValueError where a value overflows;
/// CapacityError for more than 512 points.
template <typename T = float>
ProjectedKernel<T> projected_kernel(In<T> X, In<T> Wq, In<T> Wk);

/// `projected_kernel` of n tokens from N(0, 1) under projections from N(0, 1/d), which keep the
/// tokens' length on average; with `one_projection` W_k is W_q. O(n·d² + n³).
/// @throws ValueError unless n ≥ 1 and d ≥ 1; CapacityError for more than 512 points.
template <typename T = float>
ProjectedKernel<T> random_projected_kernel(Index n, Index d, bool one_projection,
                                           std::uint64_t seed);

/// What a fit of a smoother may change.
struct SmootherLearns {
  /// γ of the kernel e^{−γ(q − k)²}, by its logarithm.
  bool width = true;
  /// The keys, which begin at the inputs.
  bool keys = false;
  /// The values, which begin at the targets.
  bool values = false;
};

struct SmootherFitOptions {
  SmootherLearns learns = {};
  /// γ of e^{−γ(q−k)²} at the start.
  double gamma = 10;
  /// AdamW's step size, without weight decay.
  double learning_rate = 0.02;
  Index steps = 500;
};

struct SmootherFitResult {
  /// Keys and values after the steps made so far, m entries each, and γ.
  std::vector<double> keys, values;
  double gamma = 0;
  /// The mean squared error over the pairs, before each step and after the last.
  std::vector<double> losses;
};

/// The most pairs that a fit takes.
inline constexpr Index kMaxSmootherPairs = 128;

/// Fits a smoother on a line with Gaussian weights to pairs (x_i, y_i): the mean squared error of
/// the output at x_i, where the pair i itself is left out (its weight would be the largest, and the
/// width would shrink to 0), by AdamW. Nothing learned is Nadaraya and Watson's estimator; learned
/// keys and values make it an attention layer with one query dimension. One step is one step of
/// AdamW; O(m²).
class SmootherFit {
 public:
  /// @throws ShapeError unless x and y have 2 … `kMaxSmootherPairs` entries each; ValueError where
  /// one is not finite, gamma or the learning rate is not positive, or steps is outside 0 … 10⁵.
  SmootherFit(std::vector<double> x, std::vector<double> y, SmootherFitOptions options);

  bool step(int amount);
  double progress() const;
  SmootherFitResult result() const { return result_; }

  /// The loss with its gradient at ln γ, the keys and the values: 1 + 2m entries. O(m²).
  double loss(const Vector<double>& parameters, Vector<double>& gradient) const;

 private:
  std::vector<double> x_, y_;
  SmootherFitOptions how_;
  Vector<double> parameters_;
  AdamW<double> optimizer_;
  Index done_ = 0;
  SmootherFitResult result_;
};

}  // namespace attn
