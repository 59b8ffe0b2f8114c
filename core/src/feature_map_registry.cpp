#include "feature_map_registry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "attn/errors.hpp"
#include "meter.hpp"
#include "product.hpp"
#include "simd/simd.hpp"

namespace attn::internal {
namespace {

// ---------------------------------------------------------------------------------------------
// Maps that work entry by entry: value and slope.

template <typename T>
struct Identity {
  explicit Identity(const Call<T>&) {}
  T value(T x) const { return x; }
  T slope(T) const { return 1; }
};

template <typename T>
struct EluPlusOne {
  T temperature;
  explicit EluPlusOne(const Call<T>& call) : temperature(call.parameter("temperature")) {}
  T value(T x) const {
    const T y = x * temperature;
    return y > 0 ? y + 1 : std::exp(y);
  }
  T slope(T x) const {
    const T y = x * temperature;
    return temperature * (y > 0 ? T(1) : std::exp(y));
  }
  Index exps(In<T> x) const { return (x.array() * temperature <= 0).count(); }
};

template <typename T>
struct Relu {
  T floor;
  explicit Relu(const Call<T>& call) : floor(call.parameter("floor")) {}
  T value(T x) const { return std::max(x, floor); }
  T slope(T x) const { return x > floor ? T(1) : T(0); }
};

template <typename T>
struct SquaredRelu {
  explicit SquaredRelu(const Call<T>&) {}
  T value(T x) const { return x > 0 ? x * x : T(0); }
  T slope(T x) const { return x > 0 ? 2 * x : T(0); }
};

template <typename T>
struct Square {
  explicit Square(const Call<T>&) {}
  T value(T x) const { return x * x; }
  T slope(T x) const { return 2 * x; }
};

template <template <typename> class F>
struct Each {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const F<T> f(call);
    phi = x.unaryExpr([&f](T value) { return f.value(value); });
    note_exps<T>(f, x);
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const F<T> f(call);
    d_x = d_phi.cwiseProduct(x.unaryExpr([&f](T value) { return f.slope(value); }));
    note_exps<T>(f, x);
  }

 private:
  template <typename T>
  static void note_exps(const F<T>& f, In<T> x) {
    if constexpr (requires { f.exps(x); }) {
      if (OperationMeter::active()) note<T>({.exps = wide(f.exps(x))});
    }
  }
};

// ---------------------------------------------------------------------------------------------
// Exponentials kept in range.

/// What the parameter `stabilize` subtracts from the exponents of each row: the largest of them, of
/// its own row for a query, of all for keys. It cancels in the quotient; a key's own would not.
template <typename T>
Vector<T> largest_exponents(Role role, In<T> exponents) {
  if (role == Role::kQuery) return exponents.rowwise().maxCoeff();
  return Vector<T>::Constant(exponents.rows(), exponents.maxCoeff());
}

/// Takes from `gradient`, the one at the exponents less `largest_exponents`, to the one at the
/// exponents.
template <typename T>
void largest_exponents_backward(Role role, In<T> exponents, Matrix<T>& gradient) {
  const Vector<T> sums = gradient.rowwise().sum();
  if (role == Role::kQuery) {
    for (Index r = 0; r < gradient.rows(); ++r) {
      Index largest = 0;
      exponents.row(r).maxCoeff(&largest);
      gradient(r, largest) -= sums(r);
    }
  } else {
    Index row = 0, col = 0;
    exponents.maxCoeff(&row, &col);
    gradient(row, col) -= sums.sum();
  }
}

struct Exp {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    phi = x;
    if (call.flag("stabilize")) phi.colwise() -= largest_exponents<T>(call.role, x);
    phi = phi.unaryExpr([](T value) { return std::exp(value); });
    note<T>({.exps = wide(phi.size())});
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    apply<T>(call, x, d_x);
    d_x.array() *= d_phi.array();
    if (call.flag("stabilize")) largest_exponents_backward<T>(call.role, x, d_x);
  }
};

// ---------------------------------------------------------------------------------------------
// Products of two coordinates.

/// Visits the pairs of two coordinates as runs: `i` with `count` coordinates from `first` on, the
/// first of them being pair number `at`. Upper: i < j, row-major above the diagonal, as in fla;
/// else j < i, row-major below it, as in zoology.
template <typename Visit>
void for_each_run_of_pairs(Index d, bool upper, Visit visit) {
  Index at = 0;
  for (Index i = 0; i < d; ++i) {
    const Index first = upper ? i + 1 : 0;
    const Index count = upper ? d - i - 1 : i;
    visit(i, first, count, at);
    at += count;
  }
}

/// out = factor·in. A plain loop: for these many short runs Eigen's bookkeeping costs more than the
/// arithmetic.
template <typename T>
void scale_into(const T* in, T factor, Index count, T* __restrict out) {
  for (Index k = 0; k < count; ++k) out[k] = factor * in[k];
}

double pairs(double d) { return d * (d - 1) / 2; }

/// Multiply-adds that no product has counted.
template <typename T>
void note_multiply_adds(Index count) {
  note<T>({.multiply_adds = wide(count)});
}

struct Taylor {
  template <typename T>
  static void apply(const Call<T>&, In<T> x, Matrix<T>& phi) {
    const Index d = x.cols();
    const T root = static_cast<T>(std::pow(static_cast<double>(d), -0.25));
    const T square = root * root / std::numbers::sqrt2_v<T>;
    for (Index r = 0; r < x.rows(); ++r) {
      phi(r, 0) = 1;
      phi.row(r).segment(1, d) = root * x.row(r);
      for (Index i = 0; i < d; ++i) {
        scale_into(x.row(r).data(), square * x(r, i), d, phi.row(r).data() + 1 + d + i * d);
      }
    }
    note_multiply_adds<T>(phi.size() - x.rows());
  }
  template <typename T>
  static void backward(const Call<T>&, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Index d = x.cols();
    const T root = static_cast<T>(std::pow(static_cast<double>(d), -0.25));
    const T square = root * root / std::numbers::sqrt2_v<T>;
    for (Index r = 0; r < x.rows(); ++r) {
      d_x.row(r) = root * d_phi.row(r).segment(1, d);
      for (Index i = 0; i < d; ++i) {
        const auto g = d_phi.row(r).segment(1 + d + i * d, d);
        d_x(r, i) += square * g.dot(x.row(r));
        d_x.row(r) += square * x(r, i) * g;
      }
    }
    note_multiply_adds<T>(2 * d_phi.size() - (2 + d) * x.rows());
  }
};

struct TaylorCompact {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const Index d = x.cols();
    const bool upper = call.flag("upper");
    const T root = static_cast<T>(std::pow(static_cast<double>(d), -0.25));
    const T cross = root * root, square = cross / std::numbers::sqrt2_v<T>;
    for (Index r = 0; r < x.rows(); ++r) {
      phi(r, 0) = 1;
      phi.row(r).segment(1, d) = root * x.row(r);
      phi.row(r).segment(1 + d, d) = square * x.row(r).cwiseAbs2();
      for_each_run_of_pairs(d, upper, [&](Index i, Index first, Index count, Index at) {
        scale_into(x.row(r).data() + first, cross * x(r, i), count,
                   phi.row(r).data() + 1 + 2 * d + at);
      });
    }
    note_multiply_adds<T>(phi.size() - x.rows());
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Index d = x.cols();
    const bool upper = call.flag("upper");
    const T root = static_cast<T>(std::pow(static_cast<double>(d), -0.25));
    const T cross = root * root, square = cross / std::numbers::sqrt2_v<T>;
    for (Index r = 0; r < x.rows(); ++r) {
      d_x.row(r) = root * d_phi.row(r).segment(1, d) +
                   2 * square * d_phi.row(r).segment(1 + d, d).cwiseProduct(x.row(r));
      for_each_run_of_pairs(d, upper, [&](Index i, Index first, Index count, Index at) {
        const auto g = d_phi.row(r).segment(1 + 2 * d + at, count);
        d_x(r, i) += cross * g.dot(x.row(r).segment(first, count));
        d_x.row(r).segment(first, count) += cross * x(r, i) * g;
      });
    }
    note_multiply_adds<T>(2 * d_phi.size() - (2 + 2 * d) * x.rows());
  }
};

/// Layer norm of each row, kept with what its backward needs.
template <typename T>
struct LayerNorm {
  Matrix<T> normal;   // (x − mean)/√(variance + ε)
  Vector<T> rescale;  // 1/√(variance + ε)
  Matrix<T> out;

  LayerNorm(const Call<T>& call, In<T> x) : normal(x.rows(), x.cols()), rescale(x.rows()) {
    const T epsilon = call.parameter("layer_norm_epsilon");
    for (Index r = 0; r < x.rows(); ++r) {
      normal.row(r) = x.row(r).array() - x.row(r).mean();
      const T spread = normal.row(r).squaredNorm() / static_cast<T>(x.cols()) + epsilon;
      // A constant row without ε would be 0/0.
      rescale(r) = spread > 0 ? 1 / std::sqrt(spread) : T(0);
      normal.row(r) *= rescale(r);
    }
    note_multiply_adds<T>(2 * x.size());
    out = normal;
    if (call.options.gain.size() > 0) {
      out.array().rowwise() *= call.options.gain.row(0).array();
    }
    if (call.options.shift.size() > 0) out.rowwise() += call.options.shift.row(0);
  }

  void backward(const Call<T>& call, Matrix<T>& d_out) const {
    if (call.options.gain.size() > 0) {
      d_out.array().rowwise() *= call.options.gain.row(0).array();
    }
    for (Index r = 0; r < d_out.rows(); ++r) {
      const T mean = d_out.row(r).mean();
      const T along = d_out.row(r).dot(normal.row(r)) / static_cast<T>(d_out.cols());
      d_out.row(r) = rescale(r) * ((d_out.row(r).array() - mean).matrix() - along * normal.row(r));
    }
    note_multiply_adds<T>(2 * d_out.size());
  }
};

struct Rebased {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    if (call.flag("layer_norm")) {
      quadratic<T>(LayerNorm<T>(call, x).out, phi);
    } else {
      quadratic<T>(x, phi);
    }
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    if (call.flag("layer_norm")) {
      const LayerNorm<T> norm(call, x);
      quadratic_backward<T>(norm.out, d_phi, d_x);
      norm.backward(call, d_x);
    } else {
      quadratic_backward<T>(x, d_phi, d_x);
    }
  }

 private:
  template <typename T>
  static void quadratic(In<T> y, Matrix<T>& phi) {
    const Index d = y.cols();
    const T square = static_cast<T>(1 / std::sqrt(static_cast<double>(d)));
    const T cross = std::numbers::sqrt2_v<T> * square;
    for (Index r = 0; r < y.rows(); ++r) {
      phi.row(r).head(d) = square * y.row(r).cwiseAbs2();
      for_each_run_of_pairs(d, true, [&](Index i, Index first, Index count, Index at) {
        scale_into(y.row(r).data() + first, cross * y(r, i), count, phi.row(r).data() + d + at);
      });
    }
    note_multiply_adds<T>(phi.size());
  }
  template <typename T>
  static void quadratic_backward(In<T> y, In<T> d_phi, Matrix<T>& d_y) {
    const Index d = y.cols();
    const T square = static_cast<T>(1 / std::sqrt(static_cast<double>(d)));
    const T cross = std::numbers::sqrt2_v<T> * square;
    for (Index r = 0; r < y.rows(); ++r) {
      d_y.row(r) = 2 * square * d_phi.row(r).head(d).cwiseProduct(y.row(r));
      for_each_run_of_pairs(d, true, [&](Index i, Index first, Index count, Index at) {
        const auto g = d_phi.row(r).segment(d + at, count);
        d_y(r, i) += cross * g.dot(y.row(r).segment(first, count));
        d_y.row(r).segment(first, count) += cross * y(r, i) * g;
      });
    }
    note_multiply_adds<T>(2 * d_phi.size() - d * y.rows());
  }
};

struct Dpfp {
  /// [relu(x), relu(−x)], or [relu(x), −relu(x)] as fla's code has it.
  template <typename T>
  static Matrix<T> split(const Call<T>& call, In<T> x) {
    Matrix<T> z(x.rows(), 2 * x.cols());
    z.leftCols(x.cols()) = x.cwiseMax(T(0));
    if (call.flag("fla")) {
      z.rightCols(x.cols()) = -z.leftCols(x.cols());
    } else {
      z.rightCols(x.cols()) = (-x).cwiseMax(T(0));
    }
    return z;
  }
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const Matrix<T> z = split<T>(call, x);
    const Index w = z.cols();
    for (Index roll = 1; roll * w <= phi.cols(); ++roll) {
      for (Index k = 0; k < w; ++k) {
        phi.col((roll - 1) * w + k) = z.col(k).cwiseProduct(z.col(rolled(k, roll, w)));
      }
    }
    note_multiply_adds<T>(phi.size());
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Matrix<T> z = split<T>(call, x);
    const Index w = z.cols(), d = x.cols();
    Matrix<T> d_z = Matrix<T>::Zero(z.rows(), w);
    for (Index roll = 1; roll * w <= d_phi.cols(); ++roll) {
      for (Index k = 0; k < w; ++k) {
        const auto g = d_phi.col((roll - 1) * w + k);
        const Index other = rolled(k, roll, w);
        d_z.col(k) += g.cwiseProduct(z.col(other));
        d_z.col(other) += g.cwiseProduct(z.col(k));
      }
    }
    note_multiply_adds<T>(2 * d_phi.size());
    const auto positive = (x.array() > 0).template cast<T>();
    if (call.flag("fla")) {
      d_x = (positive * (d_z.leftCols(d) - d_z.rightCols(d)).array()).matrix();
    } else {
      d_x = (positive * d_z.leftCols(d).array() -
             (x.array() < 0).template cast<T>() * d_z.rightCols(d).array())
                .matrix();
    }
  }

 private:
  /// Where entry k of torch.roll(z, roll) comes from.
  static Index rolled(Index k, Index roll, Index width) {
    return ((k - roll) % width + width) % width;
  }
};

// ---------------------------------------------------------------------------------------------
// Position.

struct CosFormer {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const Index d = x.cols();
    for (Index r = 0; r < x.rows(); ++r) {
      const auto [sine, cosine] = weights<T>(call, r);
      phi.row(r).head(d) = sine * x.row(r).cwiseMax(T(0));
      phi.row(r).tail(d) = cosine * x.row(r).cwiseMax(T(0));
    }
    note_multiply_adds<T>(phi.size());
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Index d = x.cols();
    for (Index r = 0; r < x.rows(); ++r) {
      const auto [sine, cosine] = weights<T>(call, r);
      d_x.row(r) = (x.row(r).array() > 0)
                       .template cast<T>()
                       .matrix()
                       .cwiseProduct(sine * d_phi.row(r).head(d) + cosine * d_phi.row(r).tail(d));
    }
    note_multiply_adds<T>(d_phi.size());
  }

 private:
  template <typename T>
  static std::pair<T, T> weights(const Call<T>& call, Index row) {
    const double place = static_cast<double>(call.position.offset + row + 1);
    const double angle = std::numbers::pi / 2 * place / static_cast<double>(call.position.length);
    return {static_cast<T>(std::sin(angle)), static_cast<T>(std::cos(angle))};
  }
};

// ---------------------------------------------------------------------------------------------
// Learned projections.

/// y = Wx + b, row by row.
template <typename T>
Matrix<T> project(const Call<T>& call, In<T> x) {
  Matrix<T> y = product_nt<T>(x, call.options.projection);
  if (call.options.bias.size() > 0) {
    y.rowwise() += Eigen::Map<const Eigen::Matrix<T, 1, Eigen::Dynamic>>(call.options.bias.data(),
                                                                         call.options.bias.size());
  }
  return y;
}

template <typename Row>
void softmax_in_place(Row row) {
  row = (row.array() - row.maxCoeff()).exp();
  row /= row.sum();
  note<typename Row::Scalar>({.exps = wide(row.size())});
}

/// From the gradient at softmax's output p to the one at its input.
template <typename Row, typename P>
void softmax_backward(Row gradient, const P& p) {
  const auto along = gradient.dot(p);
  gradient = (gradient.array() - along) * p.array();
  note_multiply_adds<typename Row::Scalar>(gradient.size());
}

/// Hedgehog as in LoLCATs: two separate softmaxes, of Wx and of −Wx, each ≥ floor.
struct Hedgehog {
  template <typename T>
  static Matrix<T> softmaxes(const Call<T>& call, In<T> x) {
    const Matrix<T> y = project<T>(call, x);
    Matrix<T> p(y.rows(), 2 * y.cols());
    p << y, -y;
    for (Index r = 0; r < p.rows(); ++r) {
      softmax_in_place(p.row(r).head(y.cols()));
      softmax_in_place(p.row(r).tail(y.cols()));
    }
    return p;
  }
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    phi = softmaxes<T>(call, x).cwiseMax(call.parameter("floor"));
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Matrix<T> p = softmaxes<T>(call, x);
    const Index m = p.cols() / 2;
    Matrix<T> g =
        d_phi.cwiseProduct((p.array() > call.parameter("floor")).template cast<T>().matrix());
    for (Index r = 0; r < p.rows(); ++r) {
      softmax_backward(g.row(r).head(m), p.row(r).head(m));
      softmax_backward(g.row(r).tail(m), p.row(r).tail(m));
    }
    product_nn<T>(g.leftCols(m) - g.rightCols(m), call.options.projection, d_x);
  }
};

/// Hedgehog's exponential form: [exp(y − max y), exp(−y + min y)], each ≥ floor.
struct HedgehogExp {
  template <typename T>
  static Matrix<T> exponentials(In<T> y) {
    Matrix<T> e(y.rows(), 2 * y.cols());
    for (Index r = 0; r < y.rows(); ++r) {
      e.row(r).head(y.cols()) = (y.row(r).array() - y.row(r).maxCoeff()).exp();
      e.row(r).tail(y.cols()) = (y.row(r).minCoeff() - y.row(r).array()).exp();
    }
    note<T>({.exps = wide(e.size())});
    return e;
  }
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    phi = exponentials<T>(project<T>(call, x)).cwiseMax(call.parameter("floor"));
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Matrix<T> y = project<T>(call, x);
    const Matrix<T> e = exponentials<T>(y);
    const Index m = y.cols();
    const Matrix<T> g =
        (e.array() > call.parameter("floor")).select(d_phi.cwiseProduct(e).array(), T(0));
    Matrix<T> d_y = g.leftCols(m) - g.rightCols(m);
    for (Index r = 0; r < y.rows(); ++r) {
      Index highest = 0, lowest = 0;
      y.row(r).maxCoeff(&highest);
      y.row(r).minCoeff(&lowest);
      d_y(r, highest) -= g.row(r).head(m).sum();
      d_y(r, lowest) += g.row(r).tail(m).sum();
    }
    note_multiply_adds<T>(g.size());
    product_nn<T>(d_y, call.options.projection, d_x);
  }
};

/// Hedgehog as in flash-linear-attention: one softmax over [2(Wx + b), −2(Wx + b)].
struct HedgehogJoint {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const Matrix<T> y = project<T>(call, x);
    phi << 2 * y, -2 * y;
    for (Index r = 0; r < phi.rows(); ++r) softmax_in_place(phi.row(r));
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    Matrix<T> p(d_phi.rows(), d_phi.cols());
    apply<T>(call, x, p);
    const Index m = p.cols() / 2;
    Matrix<T> g = d_phi;
    for (Index r = 0; r < p.rows(); ++r) softmax_backward(g.row(r), p.row(r));
    product_nn<T>(2 * (g.leftCols(m) - g.rightCols(m)), call.options.projection, d_x);
  }
};

struct T2r {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    phi = project<T>(call, x).cwiseMax(T(0));
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Matrix<T> g = (project<T>(call, x).array() > 0).select(d_phi.array(), T(0));
    product_nn<T>(g, call.options.projection, d_x);
  }
};

// ---------------------------------------------------------------------------------------------
// Random features. x′ = x/d^{1/4}, u = Wx′, h = ‖x′‖²/2.

template <typename T>
struct Projected {
  T root;
  Matrix<T> x, u;
  Vector<T> h;

  Projected(const Call<T>& call, In<T> input)
      : root(static_cast<T>(std::pow(static_cast<double>(input.cols()), -0.25))),
        x(root * input),
        u(product_nt<T>(x, call.options.projection)),
        h(x.rowwise().squaredNorm() / 2) {
    note_multiply_adds<T>(x.size());
  }

  /// From gradients at u and h to the one at the input.
  void backward(const Call<T>& call, const Matrix<T>& d_u, const Vector<T>& d_h,
                Matrix<T>& d_x) const {
    product_nn<T>(d_u, call.options.projection, d_x);
    d_x += d_h.asDiagonal() * x;
    d_x *= root;
    note_multiply_adds<T>(x.size());
  }
};

/// factor·(e^{x − below} + add) in place; `below` is one number a row.
template <typename T>
void exponentiate_rows(Eigen::Ref<Matrix<std::type_identity_t<T>>> x, const Vector<T>& below,
                       T factor, T add) {
  if constexpr (std::is_same_v<T, float>) {
    simd::exp_rows({x.rows(), x.cols(), x.data(), x.outerStride(), below.data(), factor, add});
  } else {
    x = factor * ((x.colwise() - below).array().exp() + add);
  }
  note<T>({.exps = wide(x.size())});
}

struct SoftmaxKernel {
  /// Stabilised by the largest u and not by the largest u − h, as in the published code: features
  /// of long vectors shrink to ε.
  template <typename T>
  static void exponentials(const Call<T>& call, const Projected<T>& p, T factor, T add,
                           Matrix<T>& e) {
    Vector<T> below = p.h;
    if (call.flag("stabilize")) below += largest_exponents<T>(call.role, p.u);
    e = p.u;
    exponentiate_rows<T>(e, below, factor, add);
  }
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const T ratio = 1 / std::sqrt(static_cast<T>(phi.cols()));
    const T epsilon = call.flag("stabilize") ? call.parameter("epsilon") : T(0);
    exponentials<T>(call, Projected<T>(call, x), ratio, epsilon, phi);
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Projected<T> p(call, x);
    const T ratio = 1 / std::sqrt(static_cast<T>(d_phi.cols()));
    Matrix<T> d_u;
    exponentials<T>(call, p, ratio, 0, d_u);
    d_u.array() *= d_phi.array();
    const Vector<T> sums = d_u.rowwise().sum();
    note_multiply_adds<T>(d_u.size());
    if (call.flag("stabilize")) largest_exponents_backward<T>(call.role, p.u, d_u);
    p.backward(call, d_u, -sums, d_x);
  }
};

struct SoftmaxKernelHyperbolic {
  template <typename T>
  static Matrix<T> exponents(const Projected<T>& p) {
    Matrix<T> e(p.u.rows(), 2 * p.u.cols());
    e << p.u.colwise() - p.h, (-p.u).colwise() - p.h;
    return e;
  }
  template <typename T>
  static void exponentials(const Call<T>& call, const Projected<T>& p, Matrix<T>& phi) {
    const Index m = p.u.cols();
    const T ratio = 1 / std::sqrt(static_cast<T>(2 * m));
    Vector<T> below = p.h;
    if (call.flag("stabilize")) below += largest_exponents<T>(call.role, exponents<T>(p));
    phi << p.u, -p.u;
    exponentiate_rows<T>(phi.leftCols(m), below, ratio, 0);
    exponentiate_rows<T>(phi.rightCols(m), below, ratio, 0);
  }
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    exponentials<T>(call, Projected<T>(call, x), phi);
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Projected<T> p(call, x);
    const Index m = p.u.cols();
    Matrix<T> g(d_phi.rows(), d_phi.cols());
    exponentials<T>(call, p, g);
    g.array() *= d_phi.array();
    if (call.flag("stabilize")) {
      largest_exponents_backward<T>(call.role, exponents<T>(p), g);
    }
    note_multiply_adds<T>(g.size());
    p.backward(call, g.leftCols(m) - g.rightCols(m), -g.rowwise().sum(), d_x);
  }
};

struct SoftmaxKernelTrig {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const Projected<T> p(call, x);
    const Vector<T> factor = factors<T>(call, p);
    const Index m = p.u.cols();
    phi.leftCols(m) = factor.asDiagonal() * p.u.array().cos().matrix();
    phi.rightCols(m) = factor.asDiagonal() * p.u.array().sin().matrix();
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Projected<T> p(call, x);
    const Vector<T> factor = factors<T>(call, p);
    const Index m = p.u.cols();
    const auto d_cos = d_phi.leftCols(m).array();
    const auto d_sin = d_phi.rightCols(m).array();
    const Matrix<T> cosine = p.u.array().cos(), sine = p.u.array().sin();
    const Matrix<T> d_u =
        factor.asDiagonal() * (d_sin * cosine.array() - d_cos * sine.array()).matrix();
    Vector<T> d_h = Vector<T>::Zero(x.rows());
    if (call.flag("softmax_factor")) {
      d_h = factor.cwiseProduct(
          (d_cos * cosine.array() + d_sin * sine.array()).rowwise().sum().matrix());
      if (call.flag("stabilize")) {
        Matrix<T> d_exponent = d_h;
        largest_exponents_backward<T>(call.role, p.h, d_exponent);
        d_h = d_exponent;
      }
      note_multiply_adds<T>(d_phi.size());
    }
    p.backward(call, d_u, d_h, d_x);
  }

 private:
  template <typename T>
  static Vector<T> factors(const Call<T>& call, const Projected<T>& p) {
    const T ratio = 1 / std::sqrt(static_cast<T>(p.u.cols()));
    if (!call.flag("softmax_factor")) return Vector<T>::Constant(p.h.size(), ratio);
    Vector<T> exponent = p.h;
    if (call.flag("stabilize")) exponent -= largest_exponents<T>(call.role, p.h);
    note<T>({.exps = wide(p.h.size())});
    return ratio * exponent.array().exp();
  }
};

struct ReluKernel {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    phi = Projected<T>(call, x).u.cwiseMax(T(0)).array() + call.parameter("epsilon");
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Projected<T> p(call, x);
    p.backward(call, (p.u.array() > 0).select(d_phi.array(), T(0)), Vector<T>::Zero(x.rows()), d_x);
  }
};

// ---------------------------------------------------------------------------------------------
// The table.

constexpr FeatureMapParameter kFloor{"floor", "floor", "Features below it are lifted to it.", 0, 0,
                                     1,       false};
constexpr FeatureMapParameter kHedgehogFloor{
    "floor", "floor", "Features below it are lifted to it.", 1e-12, 0, 1, false};
constexpr FeatureMapParameter kFeatures{
    "features", "m", "How many random projections are drawn.", 128, 1, 1024, true};
constexpr FeatureMapParameter kOrthogonal{
    "orthogonal",
    "orthogonal",
    "Rows of the projection are orthogonal in blocks of d (0: independent).",
    1,
    0,
    1,
    true};
constexpr FeatureMapParameter kRowNorms{
    "row_norms",
    "row norms",
    "Rows of the projection are as long as Gaussian ones (0: all √d long; estimates of e^{q·k/√d} "
    "are then too small on average).",
    1,
    0,
    1,
    true};
constexpr FeatureMapParameter kStabilize{
    "stabilize",
    "stabilise",
    "Subtract the largest exponent before exp (queries: per row, keys: of all).",
    0,
    0,
    1,
    true};

constexpr FeatureMapPaper kLinearTransformer{
    "Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention",
    "https://arxiv.org/abs/2006.16236", "equation 7"};
constexpr FeatureMapPaper kPerformer{"Rethinking Attention with Performers",
                                     "https://arxiv.org/abs/2009.14794", "lemma 1"};
constexpr FeatureMapPaper kBased{
    "Simple linear attention language models balance the recall-throughput tradeoff",
    "https://arxiv.org/abs/2402.18668", "Taylor linear attention"};
constexpr FeatureMapPaper kHedgehog{
    "The Hedgehog & the Porcupine: Expressive Linear Attentions with Softmax Mimicry",
    "https://arxiv.org/abs/2402.04347", "Hedgehog feature map"};

double same(double d, double, const Parameters&) { return d; }
double projected(double, double m, const Parameters&) { return m; }
double twice_projected(double, double m, const Parameters&) { return 2 * m; }

bool stabilized(const Parameters& parameters) { return parameters["stabilize"] != 0; }

template <typename Map, typename T>
Entry<T> make_entry(FeatureMapInfo info, double (*dimension)(double, double, const Parameters&)) {
  Entry<T> entry;
  entry.info = std::move(info);
  entry.functions = {&Map::template apply<T>, &Map::template backward<T>};
  entry.dimension = dimension;
  return entry;
}

template <typename Map, typename T>
Entry<T> make_projected(FeatureMapInfo info, Projection projection, bool takes_bias,
                        double (*dimension)(double, double, const Parameters&)) {
  Entry<T> entry = make_entry<Map, T>(std::move(info), dimension);
  entry.projection = projection;
  entry.takes_bias = takes_bias;
  entry.info.random = projection == Projection::kRandom;
  return entry;
}

template <typename T>
std::vector<Entry<T>> make_registry() {
  std::vector<Entry<T>> all;

  all.push_back(make_entry<Each<EluPlusOne>, T>(
      {.id = "elu_plus_one",
       .label = "ELU + 1",
       .tex = R"(\varphi(x) = \begin{cases} x + 1 & x > 0 \\ e^{x} & x \le 0 \end{cases})",
       .dimension_tex = "d",
       .positivity = Positivity::kPositive,
       .kernel = "Not the exponential kernel and never meant to be: a positive similarity that is "
                 "cheap to sum.",
       .note = "Positive, so the denominator does not vanish; the weights stay close to "
               "uniform.",
       .paper = kLinearTransformer,
       .parameters = {{"temperature", "temperature", "Multiplies x before the map (PosELU).", 1,
                       0.05, 8, false}}},
      same));

  {
    Entry<T> entry = make_entry<Each<Relu>, T>(
        {.id = "relu",
         .label = "ReLU",
         .tex = R"(\varphi(x) = \max(0, x))",
         .dimension_tex = "d",
         .positivity = Positivity::kNonNegative,
         .kernel =
             "Not the exponential kernel: counts only coordinates where query and key are both "
             "positive.",
         .note = "With few dimensions a query can miss every key: its whole row is zero.",
         .paper = {"Finetuning Pretrained Transformers into RNNs",
                   "https://arxiv.org/abs/2103.13076", "its feature map with W the identity"},
         .parameters = {kFloor}},
        same);
    entry.positivity = [](const Parameters& p) {
      return p["floor"] > 0 ? Positivity::kPositive : Positivity::kNonNegative;
    };
    all.push_back(std::move(entry));
  }

  all.push_back(make_entry<Each<SquaredRelu>, T>(
      {.id = "squared_relu",
       .label = "Squared ReLU",
       .tex = R"(\varphi(x) = \max(0, x)^2)",
       .dimension_tex = "d",
       .positivity = Positivity::kNonNegative,
       .kernel = "Not the exponential kernel: ReLU's, with large coordinates counting more.",
       .note = "A continuous slope, but exactly the zeros of ReLU.",
       .paper = {"Primer: Searching for Efficient Transformers for Language Modeling",
                 "https://arxiv.org/abs/2109.08668", "squared ReLU activation"}},
      same));

  all.push_back(make_entry<Each<Identity>, T>(
      {.id = "identity",
       .label = "Identity",
       .tex = R"(\varphi(x) = x)",
       .dimension_tex = "d",
       .positivity = Positivity::kAny,
       .kernel = "The plain inner product q·k.",
       .note = "The denominator changes sign, so normalised weights explode: use it unnormalised.",
       .paper = {kLinearTransformer.title, kLinearTransformer.url,
                 "the plain product it improves on"}},
      same));

  {
    Entry<T> entry =
        make_entry<Exp, T>({.id = "exp",
                            .label = "exp",
                            .tex = R"(\varphi(x) = e^{x})",
                            .dimension_tex = "d",
                            .positivity = Positivity::kPositive,
                            .kernel = "A sum of e^{q_i + k_i} over coordinates: not e^{q·k}.",
                            .note = "Overflows float32 above x = 88.7, unless stabilised.",
                            .paper = {"Efficient Attention: Attention with Linear Complexities",
                                      "https://arxiv.org/abs/1812.01243",
                                      "its softmax normalisation before the division"},
                            .parameters = {kStabilize}},
                           same);
    entry.couples_rows = stabilized;
    all.push_back(std::move(entry));
  }

  all.push_back(make_entry<Each<Square>, T>(
      {.id = "square",
       .label = "Square",
       .tex = R"(\varphi(x) = x^2)",
       .dimension_tex = "d",
       .positivity = Positivity::kNonNegative,
       .kernel = "Not the exponential kernel: blind to the signs of the coordinates.",
       .note = "Opposite vectors look alike.",
       .paper = {"Zoology: Measuring and Improving Recall in Efficient Language Models",
                 "https://arxiv.org/abs/2312.04927", "released code, feature map Square"}},
      same));

  all.push_back(make_entry<Taylor, T>(
      {.id = "taylor",
       .label = "Taylor, order 2",
       .tex =
           R"(\varphi(x) = \Bigl[1,\ \tfrac{x}{d^{1/4}},\ \tfrac{\operatorname{vec}(xx^{\top})}{\sqrt{2d}}\Bigr])",
       .dimension_tex = "1 + d + d^2",
       .positivity = Positivity::kAny,
       .kernel =
           "1 + s + s²/2 with s = q·k/√d: the exponential's Taylor polynomial, never below ½.",
       .note = "Close to softmax while |s| stays near 1; grows again for very negative s.",
       .paper = kBased},
      [](double d, double, const Parameters&) { return 1 + d + d * d; }));

  all.push_back(make_entry<TaylorCompact, T>(
      {.id = "taylor_compact",
       .label = "Taylor, compact",
       .tex =
           R"(\varphi(x) = \Bigl[1,\ \tfrac{x}{d^{1/4}},\ \tfrac{x_i^2}{\sqrt{2d}},\ \tfrac{x_i x_j}{\sqrt{d}}\Bigr]_{i \ne j})",
       .dimension_tex = R"(\tfrac{(d+1)(d+2)}{2})",
       .positivity = Positivity::kAny,
       .kernel = "The same kernel as Taylor, each mixed product kept once.",
       .note = "Same weights, little more than half the features.",
       .paper = kBased,
       .parameters = {{"upper", "order",
                       "Order of the mixed products: 0 below the diagonal, 1 above it.", 0, 0, 1,
                       true}}},
      [](double d, double, const Parameters&) { return 1 + 2 * d + pairs(d); }));

  all.push_back(make_entry<CosFormer, T>(
      {.id = "cosformer",
       .label = "cosFormer",
       .tex =
           R"(\varphi(x_i) = \bigl[\max(0, x)\sin\tfrac{\pi i}{2M},\ \max(0, x)\cos\tfrac{\pi i}{2M}\bigr])",
       .dimension_tex = "2d",
       .positivity = Positivity::kNonNegative,
       .kernel = "ReLU's kernel times cos(π(i − j)/2M): a preference for near positions.",
       .note = "Not cosine similarity; the length M must be known beforehand.",
       .positional = true,
       .paper = {"cosFormer: Rethinking Softmax in Attention", "https://arxiv.org/abs/2202.08791",
                 "cos-based re-weighting"}},
      [](double d, double, const Parameters&) { return 2 * d; }));

  {
    Entry<T> entry = make_projected<SoftmaxKernel, T>(
        {.id = "softmax_kernel",
         .label = "FAVOR+ (positive random features)",
         .tex =
             R"(\varphi(x) = \tfrac{1}{\sqrt m}\, e^{Wx' - \lVert x' \rVert^2 / 2},\quad x' = x / d^{1/4})",
         .dimension_tex = "m",
         .positivity = Positivity::kPositive,
         .kernel = "Equal to e^{q·k/√d} on average over W, as long as it is not stabilised.",
         .note =
             "Unbiased is not accurate: the variance grows like e^{‖q + k‖²/√d}. The stabiliser "
             "prevents overflow; its ε pulls all weights together.",
         .paper = kPerformer,
         .parameters = {kFeatures,
                        kOrthogonal,
                        kRowNorms,
                        kStabilize,
                        {"epsilon", "ε", "Added to every feature when stabilised.", 1e-6, 0, 1,
                         false}}},
        Projection::kRandom, false, projected);
    entry.couples_rows = stabilized;
    all.push_back(std::move(entry));
  }

  {
    Entry<T> entry = make_projected<SoftmaxKernelHyperbolic, T>(
        {.id = "softmax_kernel_hyperbolic",
         .label = "Hyperbolic random features",
         .tex =
             R"(\varphi(x) = \tfrac{1}{\sqrt{2m}}\, e^{-\lVert x' \rVert^2 / 2}\bigl[e^{Wx'},\ e^{-Wx'}\bigr])",
         .dimension_tex = "2m",
         .positivity = Positivity::kPositive,
         .kernel = "Equal to e^{q·k/√d} on average, with less variance than the one-sided form.",
         .note = "Twice the features for each projection. They reach e^{‖w‖²/2} with ‖w‖² near d: "
                 "from d "
                 "about 128 on float32 can overflow, unless stabilised.",
         .paper = {kPerformer.title, kPerformer.url, "lemma 1, cosh form"},
         .parameters = {kFeatures, kOrthogonal, kRowNorms, kStabilize}},
        Projection::kRandom, false, twice_projected);
    entry.couples_rows = stabilized;
    all.push_back(std::move(entry));
  }

  {
    Entry<T> entry = make_projected<SoftmaxKernelTrig, T>(
        {.id = "softmax_kernel_trig",
         .label = "Trigonometric random features",
         .tex =
             R"(\varphi(x) = \tfrac{1}{\sqrt m}\, e^{\lVert x' \rVert^2 / 2}\bigl[\cos Wx',\ \sin Wx'\bigr])",
         .dimension_tex = "2m",
         .positivity = Positivity::kAny,
         .kernel = "Equal to e^{q·k/√d} on average; single draws can be negative.",
         .note = "Worst exactly where softmax is small: the reason Performer gave it up. Overflows "
                 "float32 above ‖x‖² = 177·√d, unless stabilised.",
         .paper = {kPerformer.title, kPerformer.url,
                   "the trigonometric estimator it argues against"},
         .parameters = {kFeatures,
                        kOrthogonal,
                        kRowNorms,
                        kStabilize,
                        {"softmax_factor", "softmax factor",
                         "Multiply by exp of half the squared norm; 0 leaves the Gaussian kernel.",
                         1, 0, 1, true}}},
        Projection::kRandom, false, twice_projected);
    entry.couples_rows = [](const Parameters& p) {
      return stabilized(p) && p["softmax_factor"] != 0;
    };
    all.push_back(std::move(entry));
  }

  {
    Entry<T> entry = make_projected<ReluKernel, T>(
        {.id = "relu_kernel",
         .label = "ReLU random features",
         .tex = R"(\varphi(x) = \max(0, Wx') + \varepsilon)",
         .dimension_tex = "m",
         .positivity = Positivity::kPositive,
         .kernel = "Not the exponential kernel: an arc-cosine kernel of the directions, plus ε.",
         .note = "Performer's generalised attention.",
         .paper = {kPerformer.title, kPerformer.url, "generalised attention"},
         .parameters = {kFeatures,
                        kOrthogonal,
                        kRowNorms,
                        {"epsilon", "ε", "Added to every feature.", 1e-3, 0, 1, false}}},
        Projection::kRandom, false, projected);
    entry.positivity = [](const Parameters& p) {
      return p["epsilon"] > 0 ? Positivity::kPositive : Positivity::kNonNegative;
    };
    all.push_back(std::move(entry));
  }

  all.push_back(make_projected<Hedgehog, T>(
      {.id = "hedgehog",
       .label = "Hedgehog",
       .tex =
           R"(\varphi(x) = \bigl[\operatorname{softmax}(Wx),\ \operatorname{softmax}(-Wx)\bigr])",
       .dimension_tex = "2d",
       .positivity = Positivity::kPositive,
       .kernel = "None in closed form: W is trained so that the weights mimic softmax.",
       .note = "W is the identity here, nothing is trained.",
       .paper = kHedgehog,
       .parameters = {kHedgehogFloor}},
      Projection::kIdentity, true, twice_projected));

  all.push_back(make_projected<HedgehogExp, T>(
      {.id = "hedgehog_exp",
       .label = "Hedgehog, exponential form",
       .tex = R"(\varphi(x) = \bigl[e^{y - \max y},\ e^{-y + \min y}\bigr],\quad y = Wx)",
       .dimension_tex = "2d",
       .positivity = Positivity::kPositive,
       .kernel = "None in closed form: W is trained so that the weights mimic softmax.",
       .note = "Overflow-safe: the largest feature of each half is 1.",
       .paper = {kHedgehog.title, kHedgehog.url, "released code, exponential variant"},
       .parameters = {kHedgehogFloor}},
      Projection::kIdentity, true, twice_projected));

  all.push_back(make_projected<HedgehogJoint, T>(
      {.id = "hedgehog_joint",
       .label = "Hedgehog, one softmax",
       .tex = R"(\varphi(x) = \operatorname{softmax}\bigl([2y,\ -2y]\bigr),\quad y = Wx + b)",
       .dimension_tex = "2d",
       .positivity = Positivity::kPositive,
       .kernel = "None in closed form; a second definition under the same name.",
       .note = "As in flash-linear-attention: one softmax over both halves.",
       .paper = {kHedgehog.title, kHedgehog.url, "as implemented in flash-linear-attention"}},
      Projection::kIdentity, true, twice_projected));

  all.push_back(make_projected<T2r, T>(
      {.id = "t2r",
       .label = "T2R",
       .tex = R"(\varphi(x) = \max(0, Wx + b))",
       .dimension_tex = "m",
       .positivity = Positivity::kNonNegative,
       .kernel = "None in closed form: W and b are trained.",
       .note = "W is the identity here, so it is ReLU until you give it weights.",
       .paper = {"Finetuning Pretrained Transformers into RNNs", "https://arxiv.org/abs/2103.13076",
                 "learned feature map"}},
      Projection::kIdentity, true, projected));

  {
    Entry<T> entry = make_entry<Rebased, T>(
        {.id = "rebased",
         .label = "ReBased",
         .tex =
             R"(\varphi(x) = \bigl[\tfrac{y_i^2}{\sqrt d},\ \sqrt{\tfrac{2}{d}}\, y_i y_j\bigr]_{i<j},\quad y = \gamma \hat x + \beta)",
         .dimension_tex = R"(\tfrac{d(d+1)}{2})",
         .positivity = Positivity::kAny,
         .kernel = "(y_q·y_k)²/d of layer-normalised vectors: never negative, blind to sign.",
         .note = "Gain and shift are learned; 1 and 0 here.",
         .paper = {"Linear Transformers with Learnable Kernel Functions are Better In-Context "
                   "Models",
                   "https://arxiv.org/abs/2402.10644", "learnable kernel"},
         .parameters = {{"layer_norm", "layer norm", "Normalise each row first.", 1, 0, 1, true},
                        {"layer_norm_epsilon", "layer norm ε",
                         "Added to the variance under the root.", 1e-5, 0, 1, false}}},
        [](double d, double, const Parameters&) { return d + pairs(d); });
    entry.takes_gain = true;
    all.push_back(std::move(entry));
  }

  {
    Entry<T> entry = make_entry<Dpfp, T>(
        {.id = "dpfp",
         .label = "DPFP",
         .tex =
             R"(\varphi(x) = \bigl[z_k\, z_{k-r}\bigr]_{r \le \nu},\quad z = [\max(0, x), \max(0, -x)])",
         .dimension_tex = R"(2 d \nu)",
         .positivity = Positivity::kNonNegative,
         .kernel = "Not the exponential kernel: sparse products that keep directions apart.",
         .note =
             "flash-linear-attention writes −max(0, x) for the second half; that variant can be "
             "negative.",
         .paper = {"Linear Transformers Are Secretly Fast Weight Programmers",
                   "https://arxiv.org/abs/2102.11174", "deterministic parameter-free projection"},
         .parameters = {{"nu", "ν", "How many rolls of z are multiplied with it.", 1, 1, 8, true},
                        {"fla", "fla variant", "1: z = [max(0, x), −max(0, x)].", 0, 0, 1, true}}},
        [](double d, double, const Parameters& p) { return 2 * d * p["nu"]; });
    entry.positivity = [](const Parameters& p) {
      return p["fla"] != 0 ? Positivity::kAny : Positivity::kNonNegative;
    };
    all.push_back(std::move(entry));
  }

  return all;
}

}  // namespace

template <typename T>
std::span<const Entry<T>> registry() {
  static const std::vector<Entry<T>> entries = make_registry<T>();
  return entries;
}

template <typename T>
const Entry<T>& find_entry(std::string_view id) {
  std::string known;
  for (const Entry<T>& entry : registry<T>()) {
    if (entry.info.id == id) return entry;
    known.append(known.empty() ? "" : ", ").append(entry.info.id);
  }
  throw ValueError("feature_map", "\"" + std::string(id) + "\"", "one of " + known);
}

template std::span<const Entry<float>> registry<float>();
template std::span<const Entry<double>> registry<double>();
template const Entry<float>& find_entry<float>(std::string_view);
template const Entry<double>& find_entry<double>(std::string_view);

double Parameters::operator[](std::string_view name) const {
  for (const auto& [key, value] : *given) {
    if (key == name) return value;
  }
  for (const FeatureMapParameter& parameter : info->parameters) {
    if (parameter.name == name) return parameter.default_value;
  }
  throw ValueError("feature_map parameter", "\"" + std::string(name) + "\"",
                   "a parameter of " + std::string(info->id));
}

}  // namespace attn::internal
