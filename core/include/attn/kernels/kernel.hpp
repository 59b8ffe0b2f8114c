#pragma once
// Kernels k(x, y) on vectors, as a registry, and Gram matrices of them.
//
// "Kernel" alone means any function of two vectors. A positive semidefinite kernel is one of which
// every Gram matrix is positive semidefinite, for every choice of points (Aronszajn 1950); only
// those are inner products of features. The registry also holds functions that look like kernels
// and are none, marked so.
//
// To add a kernel, see core/src/kernels/registry/entry.hpp.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {
namespace internal {
template <typename T>
class KernelNode;
}  // namespace internal

/// What is known of all Gram matrices of a kernel.
enum class Definiteness {
  kPositiveSemidefinite,  ///< no Gram matrix has a negative eigenvalue
  kIndefinite,            ///< some points have a Gram matrix with a negative eigenvalue
  kUnknown,               ///< neither is known: a combination in which a part is no kernel
};

struct KernelParameter {
  std::string_view name, label, description;
  double default_value, min, max;
  bool integer;
};

struct KernelSource {
  std::string_view title, url, where;
};

/// The description of a kernel.
struct RegisteredKernel {
  std::string_view id, label;
  /// TeX of k(x, y).
  std::string_view tex;
  /// With the default parameters; `Kernel::definiteness` gives it for the actual ones.
  Definiteness definiteness;
  /// Why it is positive semidefinite or not, and for which parameters and points.
  std::string_view why;
  /// Whether k(x, y) depends on x − y only, so that k(x, x) is the same everywhere.
  bool stationary = false;
  /// Whether entries of points must be at least 0.
  bool non_negative_points = false;
  KernelSource source;
  std::vector<KernelParameter> parameters = {};
};

/// All registered kernels, in the order in which a reader meets them.
std::span<const RegisteredKernel> kernels();

/// @throws ValueError listing the known ids.
const RegisteredKernel& registered_kernel(std::string_view id);

/// Parameters by name; one that is left out takes its default.
using KernelParameters = std::vector<std::pair<std::string, double>>;

/// A kernel, ready to be evaluated: one of the registry, or a combination. Immutable; a copy copies
/// a pointer.
template <typename T = float>
class Kernel {
 public:
  /// @throws ValueError for an unknown id or parameter, or a value outside its range.
  explicit Kernel(std::string_view id, const KernelParameters& parameters = {});

  /// The formula in words of the registry: "rbf(gamma = 0.5) + 2·linear".
  std::string text() const;
  Definiteness definiteness() const;
  /// Whether k(x, y) depends on x − y only.
  bool stationary() const;

  /// k(x, y) of two vectors of one width d. O(d).
  /// @throws as `gram`.
  T operator()(InVector<T> x, InVector<T> y) const;

  /// The Gram matrix of the rows of X: N×N, exactly symmetric. O(N²·d), of which the products of
  /// rows are one matrix product.
  /// @throws ShapeError unless X has a row and a column; ValueError where an entry of X is not
  /// finite, or negative for a kernel of points without negative entries, or where a value of the
  /// kernel overflows; CapacityError for more than `kMaxGramRows` rows.
  Matrix<T> gram(In<T> X) const;

  /// k(x_i, y_j) of the rows of X (N×d) and of Y (M×d): N×M. O(N·M·d).
  /// @throws as `gram`; ShapeError where the widths differ.
  Matrix<T> gram(In<T> X, In<T> Y) const;

  /// k(x_i, x_i) of the rows of X: N entries. O(N·d).
  /// @throws as `gram`.
  Vector<T> diagonal(In<T> X) const;

  /// k₁(x, y) + k₂(x, y): a kernel if both are.
  template <typename U>
  friend Kernel<U> operator+(const Kernel<U>& a, const Kernel<U>& b);
  /// k₁(x, y)·k₂(x, y): a kernel if both are (Schur's product theorem).
  template <typename U>
  friend Kernel<U> operator*(const Kernel<U>& a, const Kernel<U>& b);
  /// c·k(x, y): a kernel for c ≥ 0 if k is.
  Kernel scaled(double factor) const;
  /// e^{k(x, y)}: a kernel if k is, as a sum of products of k with positive weights.
  Kernel exponential() const;
  /// k(x, y)/√(k(x, x)·k(y, y)): k(x, x) becomes 1. A kernel if k is. 0 where k(x, x) or k(y, y) is
  /// not above 0.
  Kernel normalized() const;
  /// k(Ax, Ay) for A r×d: k of mapped points. A kernel if k is.
  /// @throws ShapeError for an empty A; ValueError where it is not finite.
  Kernel of_mapped(Matrix<T> A) const;

  /// For the core's own use.
  const internal::KernelNode<T>& node() const { return *node_; }
  explicit Kernel(std::shared_ptr<const internal::KernelNode<T>> node) : node_(std::move(node)) {}

 private:
  std::shared_ptr<const internal::KernelNode<T>> node_;
};

template <typename T>
Kernel<T> operator+(const Kernel<T>& a, const Kernel<T>& b);
template <typename T>
Kernel<T> operator*(const Kernel<T>& a, const Kernel<T>& b);

/// A kernel as data, as a page chooses it: one of the registry, then what is done with it step by
/// step. `rbf`, then plus `linear`, then scale 2 is 2·(rbf + linear).
enum class KernelOperation {
  kPlus,         ///< + the kernel `id`
  kTimes,        ///< · the kernel `id`
  kScale,        ///< · `factor`
  kExponential,  ///< e^k
  kNormalize,    ///< k/√(k(x, x)·k(y, y))
};

struct KernelStep {
  KernelOperation operation = KernelOperation::kPlus;
  /// The other kernel of kPlus and kTimes; empty otherwise.
  std::string id = {};
  KernelParameters parameters = {};
  /// Of kScale.
  double factor = 1;
};

struct KernelChoice {
  /// One of the ids of `kernels`.
  std::string id;
  KernelParameters parameters = {};
  std::vector<KernelStep> steps = {};
};

/// @throws ValueError for an unknown id or parameter, or a factor that is not finite.
template <typename T = float>
Kernel<T> make_kernel(const KernelChoice& choice);

/// The most points of one Gram matrix: 4096² float32 are 64 MiB.
inline constexpr Index kMaxGramRows = 4096;

}  // namespace attn
