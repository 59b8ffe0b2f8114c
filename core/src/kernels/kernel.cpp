#include "attn/kernels/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "attn/base/errors.hpp"
#include "attn/kernels/phrases.hpp"
#include "base/lookup.hpp"
#include "base/parameters.hpp"
#include "base/product.hpp"
#include "kernels/registry/entry.hpp"
#include "simd/simd.hpp"

namespace attn {
namespace internal {

/// One part of a kernel: an entry of the registry, or what is made of other parts.
template <typename T>
class KernelNode {
 public:
  KernelNode() = default;
  KernelNode(const KernelNode&) = delete;
  KernelNode& operator=(const KernelNode&) = delete;
  virtual ~KernelNode() = default;
  virtual std::string text() const = 0;
  virtual Definiteness definiteness() const = 0;
  virtual bool stationary() const = 0;
  /// Whether a sum needs brackets around the text of this part.
  virtual bool is_sum() const { return false; }
  /// @throws ValueError where the points are outside the domain.
  virtual void require_domain(std::string_view argument, In<T> points) const = 0;
  /// K is N×M already. With `same` only its upper triangle needs to be right.
  virtual void fill(In<T> X, In<T> Y, bool same, Matrix<T>& K) const = 0;
};

}  // namespace internal

namespace {

using internal::KernelNode;

template <typename T>
using NodePointer = std::shared_ptr<const KernelNode<T>>;

/// A sum or a product of kernels is one; with other parts nothing is known.
Definiteness both(Definiteness a, Definiteness b) {
  constexpr Definiteness kYes = Definiteness::kPositiveSemidefinite;
  return a == kYes && b == kYes ? kYes : Definiteness::kUnknown;
}

template <typename T>
std::string in_brackets(const KernelNode<T>& node) {
  return node.is_sum() ? "(" + node.text() + ")" : node.text();
}

template <typename T>
class RegisteredNode final : public KernelNode<T> {
 public:
  RegisteredNode(std::string_view id, const KernelParameters& given)
      : entry_(&internal::find_by_id("kernel", id, internal::kernel_entries<T>())), given_(given) {
    internal::require_parameters(entry_->info, given_);
  }
  std::string text() const override {
    std::string listed;
    for (const auto& [name, value] : given_) {
      listed += (listed.empty() ? "" : ", ") + name + " = " + number_text(value);
    }
    const std::string id(entry_->info.id);
    return listed.empty() ? id : id + "(" + listed + ")";
  }
  Definiteness definiteness() const override {
    return entry_->definiteness ? entry_->definiteness(entry_->info, given_)
                                : entry_->info.definiteness;
  }
  bool stationary() const override { return entry_->info.stationary; }
  void require_domain(std::string_view argument, In<T> points) const override {
    if (!entry_->info.non_negative_points) return;
    for (Index i = 0; i < points.rows(); ++i) {
      for (Index c = 0; c < points.cols(); ++c) {
        if (points(i, c) < 0) {
          throw ValueError(argument, phrase::at_cell(phrase::number(points(i, c)), i, c),
                           phrase::no_negative_points(entry_->info.id));
        }
      }
    }
  }
  void fill(In<T> X, In<T> Y, bool same, Matrix<T>& K) const override {
    entry_->fill({entry_->info, given_, X, Y, same}, K);
  }

 private:
  const internal::KernelEntry<T>* entry_;
  KernelParameters given_;
};

template <typename T>
class PairNode final : public KernelNode<T> {
 public:
  PairNode(NodePointer<T> a, NodePointer<T> b, bool product)
      : a_(std::move(a)), b_(std::move(b)), product_(product) {}
  std::string text() const override {
    return product_ ? in_brackets<T>(*a_) + "·" + in_brackets<T>(*b_)
                    : a_->text() + " + " + b_->text();
  }
  Definiteness definiteness() const override {
    return both(a_->definiteness(), b_->definiteness());
  }
  bool stationary() const override { return a_->stationary() && b_->stationary(); }
  bool is_sum() const override { return !product_; }
  void require_domain(std::string_view argument, In<T> points) const override {
    a_->require_domain(argument, points);
    b_->require_domain(argument, points);
  }
  void fill(In<T> X, In<T> Y, bool same, Matrix<T>& K) const override {
    a_->fill(X, Y, same, K);
    Matrix<T> other(K.rows(), K.cols());
    b_->fill(X, Y, same, other);
    if (product_) {
      K.array() *= other.array();
    } else {
      K += other;
    }
  }

 private:
  NodePointer<T> a_, b_;
  bool product_;
};

/// A kernel made of the values of one other kernel at the same points.
template <typename T>
class OfOneNode : public KernelNode<T> {
 public:
  explicit OfOneNode(NodePointer<T> of) : of_(std::move(of)) {}
  bool stationary() const override { return of_->stationary(); }
  void require_domain(std::string_view argument, In<T> points) const override {
    of_->require_domain(argument, points);
  }

 protected:
  NodePointer<T> of_;
};

template <typename T>
class ScaledNode final : public OfOneNode<T> {
  using OfOneNode<T>::of_;

 public:
  ScaledNode(NodePointer<T> of, double factor) : OfOneNode<T>(std::move(of)), factor_(factor) {}
  std::string text() const override { return number_text(factor_) + "·" + in_brackets<T>(*of_); }
  Definiteness definiteness() const override {
    // 0·k is 0, whose Gram matrices are all zero.
    if (factor_ == 0) return Definiteness::kPositiveSemidefinite;
    return factor_ > 0 ? of_->definiteness() : Definiteness::kUnknown;
  }
  void fill(In<T> X, In<T> Y, bool same, Matrix<T>& K) const override {
    of_->fill(X, Y, same, K);
    K *= static_cast<T>(factor_);
  }

 private:
  double factor_;
};

template <typename T>
class ExponentialNode final : public OfOneNode<T> {
  using OfOneNode<T>::of_;

 public:
  using OfOneNode<T>::OfOneNode;
  std::string text() const override { return "exp(" + of_->text() + ")"; }
  Definiteness definiteness() const override {
    return both(of_->definiteness(), Definiteness::kPositiveSemidefinite);
  }
  void fill(In<T> X, In<T> Y, bool same, Matrix<T>& K) const override {
    of_->fill(X, Y, same, K);
    internal::exponentiate<T>(K.data(), K.size());
  }
};

/// k(x_i, x_i) of the rows, one Gram matrix of one row at a time.
template <typename T>
Vector<T> diagonal_of(const KernelNode<T>& node, In<T> X) {
  Vector<T> values(X.rows());
  Matrix<T> one(1, 1);
  for (Index i = 0; i < X.rows(); ++i) {
    const auto row = X.middleRows(i, 1);
    node.fill(row, row, true, one);
    values(i) = one(0, 0);
  }
  return values;
}

template <typename T>
class NormalizedNode final : public OfOneNode<T> {
  using OfOneNode<T>::of_;

 public:
  using OfOneNode<T>::OfOneNode;
  std::string text() const override { return "normalized(" + of_->text() + ")"; }
  Definiteness definiteness() const override {
    return both(of_->definiteness(), Definiteness::kPositiveSemidefinite);
  }
  void fill(In<T> X, In<T> Y, bool same, Matrix<T>& K) const override {
    of_->fill(X, Y, same, K);
    const auto inverse_roots = [&](In<T> points) {
      Vector<T> roots = diagonal_of<T>(*of_, points);
      for (T& root : roots) root = root > 0 ? 1 / std::sqrt(root) : T(0);
      return roots;
    };
    const Vector<T> x = inverse_roots(X), y = same ? x : inverse_roots(Y);
    K = x.asDiagonal() * K * y.asDiagonal();
  }
};

template <typename T>
class MappedNode final : public KernelNode<T> {
 public:
  MappedNode(NodePointer<T> of, Matrix<T> A) : of_(std::move(of)), A_(std::move(A)) {}
  std::string text() const override {
    return of_->text() + " of mapped points, " + shape_text(A_.rows(), A_.cols());
  }
  Definiteness definiteness() const override {
    // Not every point is an image, so an indefinite k may be a kernel on the images.
    return both(of_->definiteness(), Definiteness::kPositiveSemidefinite);
  }
  bool stationary() const override { return of_->stationary(); }
  void require_domain(std::string_view argument, In<T> points) const override {
    if (points.cols() != A_.cols()) {
      throw ShapeError(argument, phrase::shape(points.rows(), points.cols()),
                       phrase::shape_because(points.rows(), A_.cols(), phrase::columns_of_map));
    }
    of_->require_domain(argument, internal::product_nt<T>(points, A_));
  }
  void fill(In<T> X, In<T> Y, bool same, Matrix<T>& K) const override {
    const Matrix<T> x = internal::product_nt<T>(X, A_);
    if (same) return of_->fill(x, x, true, K);
    of_->fill(x, internal::product_nt<T>(Y, A_), false, K);
  }

 private:
  NodePointer<T> of_;
  Matrix<T> A_;
};

template <typename T>
void require_points(std::string_view argument, In<T> points, const KernelNode<T>& node) {
  if (points.rows() < 1 || points.cols() < 1) {
    throw ShapeError(argument, phrase::shape(points.rows(), points.cols()), phrase::row_and_column);
  }
  if (points.rows() > kMaxGramRows) {
    throw CapacityError(argument, phrase::shape(points.rows(), points.cols()),
                        phrase::at_most_rows(kMaxGramRows));
  }
  require_finite<T>(argument, points);
  node.require_domain(argument, points);
}

template <typename T>
void require_values(const Matrix<T>& K) {
  // The kernel takes NaN for the largest of all. The sum of absolute values is finite exactly if
  // all are, unless it overflows itself; then the search below finds nothing and the matrix is
  // right.
  if constexpr (std::is_same_v<T, float>) {
    if (std::isfinite(simd::largest_magnitude(K.data(), K.rows(), K.cols(), K.cols()))) return;
  } else {
    if (std::isfinite(K.cwiseAbs().sum())) return;
  }
  for (Index i = 0; i < K.rows(); ++i) {
    for (Index j = 0; j < K.cols(); ++j) {
      if (!std::isfinite(K(i, j))) {
        throw ValueError("kernel", phrase::kernel_overflows(phrase::number(K(i, j)), i, j),
                         phrase::kernel_finite);
      }
    }
  }
}

/// Copies the upper triangle to the lower one, in blocks, so that what is read stays in the cache.
template <typename T>
void mirror(Matrix<T>& K) {
  constexpr Index kBlock = 32;
  for (Index row = 0; row < K.rows(); row += kBlock) {
    const Index rows = std::min(kBlock, K.rows() - row);
    for (Index col = 0; col <= row; col += kBlock) {
      for (Index i = row; i < row + rows; ++i) {
        const Index end = std::min(col + kBlock, i);
        for (Index j = col; j < end; ++j) K(i, j) = K(j, i);
      }
    }
  }
}

}  // namespace

template <typename T>
Kernel<T>::Kernel(std::string_view id, const KernelParameters& parameters)
    : node_(std::make_shared<RegisteredNode<T>>(id, parameters)) {}

template <typename T>
std::string Kernel<T>::text() const {
  return node_->text();
}

template <typename T>
Definiteness Kernel<T>::definiteness() const {
  return node_->definiteness();
}

template <typename T>
bool Kernel<T>::stationary() const {
  return node_->stationary();
}

template <typename T>
T Kernel<T>::operator()(InVector<T> x, InVector<T> y) const {
  return gram(x.transpose(), y.transpose())(0, 0);
}

template <typename T>
Matrix<T> Kernel<T>::gram(In<T> X) const {
  require_points<T>("X", X, *node_);
  Matrix<T> K(X.rows(), X.rows());
  node_->fill(X, X, true, K);
  mirror<T>(K);
  require_values<T>(K);
  return K;
}

template <typename T>
Matrix<T> Kernel<T>::gram(In<T> X, In<T> Y) const {
  require_points<T>("X", X, *node_);
  if (Y.cols() != X.cols()) {
    throw ShapeError("Y", phrase::shape(Y.rows(), Y.cols()),
                     phrase::shape_because(Y.rows(), X.cols(), phrase::columns_as_x));
  }
  require_points<T>("Y", Y, *node_);
  Matrix<T> K(X.rows(), Y.rows());
  node_->fill(X, Y, false, K);
  require_values<T>(K);
  return K;
}

template <typename T>
Vector<T> Kernel<T>::diagonal(In<T> X) const {
  require_points<T>("X", X, *node_);
  Vector<T> values = diagonal_of<T>(*node_, X);
  require_values<T>(Matrix<T>(values));
  return values;
}

template <typename T>
Kernel<T> Kernel<T>::scaled(double factor) const {
  if (!std::isfinite(factor)) {
    throw ValueError("factor", phrase::number(factor), phrase::finite_number);
  }
  return Kernel(NodePointer<T>(std::make_shared<ScaledNode<T>>(node_, factor)));
}

template <typename T>
Kernel<T> Kernel<T>::exponential() const {
  return Kernel(NodePointer<T>(std::make_shared<ExponentialNode<T>>(node_)));
}

template <typename T>
Kernel<T> Kernel<T>::normalized() const {
  return Kernel(NodePointer<T>(std::make_shared<NormalizedNode<T>>(node_)));
}

template <typename T>
Kernel<T> Kernel<T>::of_mapped(Matrix<T> A) const {
  if (A.rows() < 1 || A.cols() < 1) {
    throw ShapeError("A", phrase::shape(A.rows(), A.cols()), phrase::row_and_column);
  }
  require_finite<T>("A", A);
  return Kernel(NodePointer<T>(std::make_shared<MappedNode<T>>(node_, std::move(A))));
}

template <typename T>
Kernel<T> operator+(const Kernel<T>& a, const Kernel<T>& b) {
  return Kernel<T>(NodePointer<T>(std::make_shared<PairNode<T>>(a.node_, b.node_, false)));
}

template <typename T>
Kernel<T> operator*(const Kernel<T>& a, const Kernel<T>& b) {
  return Kernel<T>(NodePointer<T>(std::make_shared<PairNode<T>>(a.node_, b.node_, true)));
}

template <typename T>
Kernel<T> make_kernel(const KernelChoice& choice) {
  Kernel<T> made(choice.id, choice.parameters);
  for (const KernelStep& step : choice.steps) {
    switch (step.operation) {
      case KernelOperation::kPlus:
        made = made + Kernel<T>(step.id, step.parameters);
        break;
      case KernelOperation::kTimes:
        made = made * Kernel<T>(step.id, step.parameters);
        break;
      case KernelOperation::kScale:
        made = made.scaled(step.factor);
        break;
      case KernelOperation::kExponential:
        made = made.exponential();
        break;
      case KernelOperation::kNormalize:
        made = made.normalized();
        break;
    }
  }
  return made;
}

#define ATTN_INSTANTIATE(T)                                         \
  template class Kernel<T>;                                         \
  template Kernel<T> operator+(const Kernel<T>&, const Kernel<T>&); \
  template Kernel<T> operator*(const Kernel<T>&, const Kernel<T>&); \
  template Kernel<T> make_kernel<T>(const KernelChoice&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
