#include "attn/kernels/kernel_features.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "attn/kernels/phrases.hpp"
#include "base/names.hpp"
#include "base/product.hpp"
#include "base/streams.hpp"
#include "kernels/pseudo_inverse.hpp"
#include "kernels/registry/entry.hpp"

namespace attn {
namespace {

constexpr double kTwoPi = 6.283185307179586476925286766559005768;

/// Kernels whose Fourier transform can be drawn from; the number is twice Matérn's ν.
struct Spectrum {
  std::string_view id;
  int matern = 0;
};
constexpr Spectrum kSpectra[] = {
    {"rbf"}, {"laplacian"}, {"matern_12", 1}, {"matern_32", 3}, {"matern_52", 5}};

const Spectrum& spectrum_of(std::string_view kernel) {
  for (const Spectrum& one : kSpectra) {
    if (one.id == kernel) return one;
  }
  throw ValueError("kernel", phrase::quoted(kernel),
                   phrase::known_spectrum(internal::names_of(kSpectra)));
}

void require_count(const char* argument, Index value, Index most) {
  if (value < 1 || value > most) {
    throw ValueError(argument, phrase::number(value), phrase::range(1, most));
  }
}

template <typename T>
void require_frequencies(In<T> X, In<T> W) {
  if (X.rows() < 1 || X.cols() < 1) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::row_and_column);
  }
  if (W.cols() < 1 || W.rows() != X.cols()) {
    throw ShapeError(
        "W", phrase::shape(W.rows(), W.cols()),
        phrase::shape_because(X.cols(), std::max<Index>(W.cols(), 1), phrase::row_each_coordinate));
  }
  require_finite<T>("X", X);
  require_finite<T>("W", W);
}

/// ZZᵀ takes the place of K: outputs and sums of weights.
template <typename Weights>
Matrix<double> smoothed(const Weights& K, const Matrix<double>& V) {
  const Vector<double> sums = K.rowwise().sum();
  return (K * V).array().colwise() / sums.array();
}

}  // namespace

template <typename T>
FourierFrequencies<T> draw_frequencies(std::string_view kernel, const KernelParameters& parameters,
                                       Index d, Index D, FourierForm form, std::uint64_t seed) {
  const Spectrum& spectrum = spectrum_of(kernel);
  // The kernel itself checks the parameters.
  const Kernel<T> checked(kernel, parameters);
  require_count("D", D, kMaxKernelFeatures);
  require_count("d", d, kMaxKernelFeatures);
  if (form != FourierForm::kOffset && D % 2 != 0) {
    throw ValueError("D", phrase::number(D), phrase::even_count);
  }
  if (form == FourierForm::kOrthogonal && kernel != "rbf") {
    throw ValueError("kernel", phrase::quoted(kernel), phrase::orthogonal_only_rbf);
  }
  const Index count = form == FourierForm::kOffset ? D : D / 2;
  const RegisteredKernel& info = registered_kernel(kernel);
  const auto given = [&](std::string_view name) {
    const double value = internal::kernel_parameter(info, parameters, name);
    return value == 0 ? 1 / static_cast<double>(d) : value;
  };
  FourierFrequencies<T> made;
  if (kernel == "rbf") {
    // Rows of the projection are N(0, I), whether orthogonal or not.
    made.W = static_cast<T>(std::sqrt(2 * given("gamma"))) *
             random_projection<T>(count, d, form == FourierForm::kOrthogonal, seed).transpose();
  } else {
    Rng rng(seed, internal::kProjectionStream);
    made.W.resize(d, count);
    for (Index f = 0; f < count; ++f) {
      double divisor = 1;
      if (spectrum.matern > 0) {
        // Student t of ν degrees of freedom: a Gaussian over the root of χ²/ν.
        double sum = 0;
        for (int i = 0; i < spectrum.matern; ++i) sum += std::pow(rng.gaussian(), 2);
        divisor = std::sqrt(sum / spectrum.matern) * given("length");
      }
      for (Index c = 0; c < d; ++c) {
        const double gaussian = rng.gaussian();
        // The quotient of two Gaussians is Cauchy.
        made.W(c, f) = static_cast<T>(
            spectrum.matern > 0 ? gaussian / divisor : given("gamma") * gaussian / rng.gaussian());
      }
    }
  }
  if (form == FourierForm::kOffset) {
    Rng rng(seed, internal::kPhaseStream);
    made.b.resize(count);
    for (T& phase : made.b) phase = static_cast<T>(kTwoPi * rng.uniform());
  }
  return made;
}

template <typename T>
Matrix<T> random_fourier_features(In<T> X, In<T> W, InVector<T> b) {
  require_frequencies<T>(X, W);
  if (b.size() != W.cols()) {
    throw ShapeError("b", phrase::entries_seen(b.size()),
                     phrase::count_because(W.cols(), phrase::phase_each_frequency));
  }
  require_finite<T>("b", b);
  Matrix<T> Z = internal::product_nn<T>(X, W);
  const T ratio = std::sqrt(T(2) / static_cast<T>(W.cols()));
  for (Index i = 0; i < Z.rows(); ++i) {
    T* const z = Z.row(i).data();
    for (Index f = 0; f < Z.cols(); ++f) z[f] = ratio * std::cos(z[f] + b(f));
  }
  return Z;
}

template <typename T>
Matrix<T> paired_fourier_features(In<T> X, In<T> W) {
  require_frequencies<T>(X, W);
  const Matrix<T> phases = internal::product_nn<T>(X, W);
  const T ratio = 1 / std::sqrt(static_cast<T>(W.cols()));
  Matrix<T> Z(X.rows(), 2 * W.cols());
  Z.leftCols(W.cols()) = ratio * phases.array().cos();
  Z.rightCols(W.cols()) = ratio * phases.array().sin();
  return Z;
}

template <typename T>
Matrix<T> fourier_features(In<T> X, const FourierFrequencies<T>& frequencies) {
  return frequencies.b.size() > 0 ? random_fourier_features<T>(X, frequencies.W, frequencies.b)
                                  : paired_fourier_features<T>(X, frequencies.W);
}

template <typename T>
FourierVariance<T> fourier_variance(const Kernel<T>& kernel, In<T> X) {
  if (!kernel.stationary()) {
    throw ValueError("kernel", phrase::name(kernel.text()),
                     phrase::known_spectrum(internal::names_of(kSpectra)));
  }
  // k of doubled points is k(2δ).
  const auto k = kernel.gram(X).array().eval();
  const auto twice = kernel.gram(2 * X).array().eval();
  return {1 + twice / 2 - k.square(), (1 + twice) / 2 - k.square()};
}

template <typename T>
FeatureVariance<T> feature_variance(const Kernel<T>& kernel, InVector<T> distances, Index D) {
  require_count("D", D, kMaxKernelFeatures);
  if (!kernel.stationary()) {
    throw ValueError("kernel", phrase::name(kernel.text()),
                     phrase::known_spectrum(internal::names_of(kSpectra)));
  }
  require_finite<T>("distances", distances);
  const Matrix<T> origin = Matrix<T>::Zero(1, 1), places = distances;
  const auto k = kernel.gram(places, origin).col(0).array().eval();
  const auto twice = kernel.gram(2 * places, origin).col(0).array().eval();
  const T size = static_cast<T>(D);
  return {k, (1 + twice / 2 - k.square()) / size, (1 + twice - 2 * k.square()) / size};
}

template <typename T>
Matrix<T> feature_smoothing(In<T> queries, In<T> keys, In<T> V) {
  require_shape<T>("keys", keys, std::max<Index>(keys.rows(), 1), queries.cols(),
                   phrase::columns_as_x);
  require_shape<T>("V", V, keys.rows(), std::max<Index>(V.cols(), 1), phrase::rows_as_k);
  const Matrix<T> states = internal::product_tn<T>(keys, V);
  const Vector<T> sums = queries * keys.colwise().sum().transpose();
  Matrix<T> output = internal::product_nn<T>(queries, states);
  for (Index i = 0; i < output.rows(); ++i) output.row(i) /= sums(i);
  return output;
}

template <typename T>
Matrix<T> nystroem_features(const Kernel<T>& kernel, In<T> X, In<T> landmarks) {
  if (landmarks.rows() > kMaxLandmarks) {
    throw CapacityError("landmarks", phrase::shape(landmarks.rows(), landmarks.cols()),
                        phrase::at_most_rows(kMaxLandmarks));
  }
  const Matrix<T> across = kernel.gram(X, landmarks);
  const internal::PseudoInverse inverse(kernel.gram(landmarks).template cast<double>(),
                                        internal::rank_share<T>(landmarks.rows()));
  return internal::product_nn<T>(across, inverse.root().template cast<T>());
}

std::vector<Index> draw_landmarks(Index N, Index count, std::uint64_t seed) {
  require_count("count", count, std::max<Index>(N, 1));
  std::vector<Index> rows(static_cast<std::size_t>(N));
  std::iota(rows.begin(), rows.end(), Index{0});
  Rng rng(seed, internal::kDrawStream);
  // The first steps of Fisher and Yates's shuffle.
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const auto beyond = static_cast<std::size_t>(rng.below(static_cast<std::uint64_t>(N) - i));
    std::swap(rows[i], rows[i + beyond]);
  }
  rows.resize(static_cast<std::size_t>(count));
  std::sort(rows.begin(), rows.end());
  return rows;
}

template <typename T>
LeverageReport leverage_scores(const Kernel<T>& kernel, In<T> X, double lambda) {
  if (!(lambda > 0 && std::isfinite(lambda))) {
    throw ValueError("lambda", phrase::number(lambda), phrase::positive_number);
  }
  if (X.rows() > kMaxLandmarks) {
    throw CapacityError("X", phrase::shape(X.rows(), X.cols()),
                        phrase::at_most_rows(kMaxLandmarks));
  }
  const Index n = X.rows();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{
      Eigen::MatrixXd(kernel.gram(X).template cast<double>())};
  const Eigen::VectorXd values = solver.eigenvalues().cwiseMax(0.0);
  const Eigen::VectorXd shares = values.array() / (values.array() + lambda);
  const Eigen::VectorXd scores =
      (solver.eigenvectors().array().square().rowwise() * shares.transpose().array())
          .rowwise()
          .sum();
  LeverageReport report;
  report.scores.assign(scores.data(), scores.data() + n);
  report.effective_dimension = shares.sum();
  report.best_errors.resize(static_cast<std::size_t>(n) + 1);
  double rest = 0;
  // Eigenvalues come in increasing order, so the rest of rank r is the first n − r of them.
  for (Index i = 0; i < n; ++i) {
    rest += values(i) * values(i);
    report.best_errors[static_cast<std::size_t>(n - 1 - i)] = std::sqrt(rest);
  }
  const double whole = report.best_errors[0];
  for (double& error : report.best_errors) error = whole > 0 ? error / whole : 0;
  return report;
}

KernelTrickCosts kernel_trick_costs(Index n, Index d, Index d_v, Index D) {
  for (const auto& [name, value] :
       {std::pair{"n", n}, std::pair{"d", d}, std::pair{"d_v", d_v}, std::pair{"D", D}}) {
    if (value < 1) throw ValueError(name, phrase::number(value), phrase::at_least(1));
  }
  const double N = static_cast<double>(n), width = static_cast<double>(d),
               values = static_cast<double>(d_v) + 1, features = static_cast<double>(D);
  const double gram = N * N * width, written = N * width * features;
  return {
      .implicit_smoothing = gram + N * N * values,
      .explicit_smoothing = written + 2 * N * features * values,
      .implicit_ridge = gram + N * N * N / 6,
      .explicit_ridge = written + N * features * features / 2 + features * features * features / 6};
}

ApproximationExperiment::ApproximationExperiment(In<float> X, In<float> V,
                                                 ApproximationOptions options)
    : X_(X), V_(V), how_(std::move(options)) {
  const Kernel<double> kernel(how_.kernel, how_.parameters);
  spectrum_of(how_.kernel);
  const Index n = X.rows(), d = X.cols(), d_v = V.cols();
  if (n > kMaxLandmarks) {
    throw CapacityError("X", phrase::shape(n, d), phrase::at_most_rows(kMaxLandmarks));
  }
  require_shape<float>("V", V, n, std::max<Index>(d_v, 1), phrase::value_each_point);
  require_finite<float>("V", V);
  require_count("draws", how_.draws, 1000);
  K_ = kernel.gram(X.cast<double>());
  norm_ = K_.norm();
  smoothed_ = smoothed(K_, V.cast<double>());
  smoothed_norm_ = smoothed_.norm();

  const auto leverage = leverage_scores<double>(kernel, X.cast<double>(), 1);
  const double N = static_cast<double>(n), width = static_cast<double>(d),
               values = static_cast<double>(d_v);
  result_.implicit_gram = N * N * width;
  // With the sums of the weights.
  result_.implicit_smoothing = N * N * (values + 1);
  result_.implicit_ridge = N * N * N / 6;
  for (const Index D : how_.features) {
    require_count("features", D, kMaxKernelFeatures);
    if (D % 2 != 0) throw ValueError("features", phrase::number(D), phrase::even_count);
    result_.best_gram_errors.push_back(
        leverage.best_errors[static_cast<std::size_t>(std::min(D, n))]);
    for (const auto approximation :
         {KernelApproximation::kOffset, KernelApproximation::kPaired,
          KernelApproximation::kOrthogonal, KernelApproximation::kNystroem}) {
      // There are no more landmarks than points, and orthogonal frequencies only for rbf.
      if (approximation == KernelApproximation::kNystroem && D > n) continue;
      if (approximation == KernelApproximation::kOrthogonal && how_.kernel != "rbf") continue;
      ApproximationPoint point;
      point.approximation = approximation;
      point.D = D;
      const double size = static_cast<double>(D);
      if (approximation == KernelApproximation::kOffset) {
        point.feature_multiply_adds = N * width * size;
      } else if (approximation == KernelApproximation::kNystroem) {
        // K_XL, its product with the root, and the eigenvectors of K_LL.
        point.feature_multiply_adds = N * width * size + N * size * size + 9 * size * size * size;
      } else {
        point.feature_multiply_adds = N * width * size / 2;
      }
      point.smoothing_multiply_adds = 2 * N * size * (values + 1);
      result_.points.push_back(std::move(point));
    }
  }
}

void ApproximationExperiment::draw(ApproximationPoint& point, Index which) const {
  const std::uint64_t seed = how_.seed + static_cast<std::uint64_t>(which);
  Matrix<float> Z;
  if (point.approximation == KernelApproximation::kNystroem) {
    const auto rows = draw_landmarks(X_.rows(), point.D, seed);
    Matrix<float> landmarks(point.D, X_.cols());
    for (Index i = 0; i < point.D; ++i) {
      landmarks.row(i) = X_.row(rows[static_cast<std::size_t>(i)]);
    }
    Z = nystroem_features<float>(Kernel<float>(how_.kernel, how_.parameters), X_, landmarks);
  } else {
    const auto form = static_cast<FourierForm>(point.approximation);
    Z = fourier_features<float>(
        X_, draw_frequencies<float>(how_.kernel, how_.parameters, X_.cols(), point.D, form, seed));
  }
  const Matrix<double> approximate = internal::product_nt<float>(Z, Z).cast<double>();
  point.gram_errors.push_back((approximate - K_).norm() / norm_);
  const Matrix<double> output = smoothed(approximate, V_.cast<double>());
  point.smoothing_errors.push_back((output - smoothed_).norm() / smoothed_norm_);
  if (which + 1 < how_.draws) return;
  point.gram_error = summarize(point.gram_errors);
  point.smoothing_error = summarize(point.smoothing_errors);
}

bool ApproximationExperiment::step(int amount) {
  const auto total = static_cast<Index>(result_.points.size()) * how_.draws;
  for (int i = 0; i < amount && done_ < total; ++i, ++done_) {
    draw(result_.points[static_cast<std::size_t>(done_ / how_.draws)], done_ % how_.draws);
  }
  return done_ == total;
}

double ApproximationExperiment::progress() const {
  const auto total = static_cast<double>(result_.points.size()) * static_cast<double>(how_.draws);
  return total > 0 ? static_cast<double>(done_) / total : 1;
}

#define ATTN_INSTANTIATE(T)                                                                     \
  template FourierFrequencies<T> draw_frequencies<T>(std::string_view, const KernelParameters&, \
                                                     Index, Index, FourierForm, std::uint64_t); \
  template Matrix<T> random_fourier_features<T>(In<T>, In<T>, InVector<T>);                     \
  template Matrix<T> paired_fourier_features<T>(In<T>, In<T>);                                  \
  template Matrix<T> fourier_features<T>(In<T>, const FourierFrequencies<T>&);                  \
  template FourierVariance<T> fourier_variance<T>(const Kernel<T>&, In<T>);                     \
  template FeatureVariance<T> feature_variance<T>(const Kernel<T>&, InVector<T>, Index);        \
  template Matrix<T> feature_smoothing<T>(In<T>, In<T>, In<T>);                                 \
  template Matrix<T> nystroem_features<T>(const Kernel<T>&, In<T>, In<T>);                      \
  template LeverageReport leverage_scores<T>(const Kernel<T>&, In<T>, double);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
