#include "attn/linear_attention/feature_map.hpp"

#include <cmath>
#include <stdexcept>

#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "attn/linear_attention/phrases.hpp"
#include "base/parameters.hpp"
#include "base/streams.hpp"
#include "cost/meter.hpp"
#include "linear_attention/feature_maps/entry.hpp"
#include "simd/fused.hpp"
#include "simd/simd.hpp"

namespace attn {

// Weak: the definition of a program takes the place of this one.
extern const bool kMapGradients __attribute__((weak));
const bool kMapGradients = true;

namespace {

using internal::Call;
using internal::Entry;
using internal::Parameters;
using internal::Projection;
using internal::require_parameters;

template <typename T>
void require_none(std::string_view name, const Matrix<T>& x, const FeatureMapInfo& info) {
  if (x.size() == 0) return;
  throw ShapeError(name, phrase::shape(x.rows(), x.cols()), phrase::takes_no(info.id, name));
}

template <typename T>
void require_optional_shape(std::string_view name, const Matrix<T>& x, Index rows, Index cols,
                            const Phrase<0>& reason) {
  if (x.size() == 0) return;
  require_shape<T>(name, x, rows, cols, reason);
  require_finite<T>(name, x);
}

/// The projection to use, after its shape has been checked.
template <typename T>
Matrix<T> resolve_projection(const Entry<T>& entry, Index d_k,
                             const FeatureMapOptions<T>& options) {
  if (entry.projection == Projection::kNone) {
    require_none("projection", options.projection, entry.info);
    return {};
  }
  if (options.projection.size() > 0) {
    require_shape<T>("projection", options.projection, options.projection.rows(), d_k,
                     phrase::column_each_d_k);
    require_finite<T>("projection", options.projection);
    return options.projection;
  }
  const Parameters parameters{&entry.info, &options.parameters};
  const bool identity = entry.projection == Projection::kIdentity;
  const double rows = identity ? static_cast<double>(d_k) : parameters["features"];
  const double bytes = rows * static_cast<double>(d_k) * sizeof(T);
  if (bytes > static_cast<double>(kMaxFeatureBytes)) {
    throw CapacityError(
        "feature_map",
        phrase::projection_too_large(entry.info.label, std::floor(bytes / (1 << 20)), d_k),
        phrase::memory_smaller_map(kMaxFeatureBytes >> 20));
  }
  if (identity) return Matrix<T>::Identity(d_k, d_k);
  return random_projection<T>(
      static_cast<Index>(rows), d_k, parameters["orthogonal"] != 0, options.seed,
      parameters["row_norms"] != 0 ? RowNorms::kGaussian : RowNorms::kFixed);
}

template <typename T>
Call<T> make_call(const FeatureMapInfo& info, const FeatureMapOptions<T>& options, Role role,
                  Position position, Index rows) {
  if (position.offset < 0 || position.offset > 2147483647 - rows) {
    throw ValueError("offset", phrase::number(position.offset), phrase::position_range);
  }
  if (position.length == 0) position.length = position.offset + rows;
  if (position.length < position.offset + rows) {
    throw ValueError("length", phrase::number(position.length),
                     phrase::up_to_last_position(position.offset + rows));
  }
  return {options, Parameters{&info, &options.parameters}, role, position};
}

}  // namespace

std::span<const FeatureMapInfo> feature_maps() {
  static const std::vector<FeatureMapInfo> infos = [] {
    std::vector<FeatureMapInfo> list;
    for (const Entry<float>& entry : internal::registry<float>()) list.push_back(entry.info);
    return list;
  }();
  return infos;
}

const FeatureMapInfo& feature_map_info(std::string_view id) {
  return internal::find_entry<float>(id).info;
}

template <typename T>
FeatureMap<T>::FeatureMap(std::string_view id, Index d_k, FeatureMapOptions<T> options)
    : entry_(&internal::find_entry<T>(id)),
      info_(&entry_->info),
      d_k_(d_k),
      dimension_(0),
      options_(std::move(options)),
      drawn_(info_->random && options_.projection.size() == 0) {
  if (d_k < 1) throw ValueError("d_k", phrase::number(d_k), phrase::at_least(1));
  const Entry<T>& entry = *entry_;
  require_parameters(entry.info, options_.parameters);
  options_.projection = resolve_projection(entry, d_k, options_);
  const Index m = options_.projection.rows();
  if (entry.takes_bias) {
    require_optional_shape<T>("bias", options_.bias, 1, m, phrase::entry_each_projection_row);
  } else {
    require_none("bias", options_.bias, entry.info);
  }
  if (entry.takes_gain) {
    require_optional_shape<T>("gain", options_.gain, 1, d_k, phrase::entry_each_d_k);
    require_optional_shape<T>("shift", options_.shift, 1, d_k, phrase::entry_each_d_k);
  } else {
    require_none("gain", options_.gain, entry.info);
    require_none("shift", options_.shift, entry.info);
  }
  const double features = entry.dimension(static_cast<double>(d_k), static_cast<double>(m),
                                          Parameters{&entry.info, &options_.parameters});
  if (features > 2147483647.0) {
    throw CapacityError("feature_map", phrase::too_many_features(entry.info.label, features, d_k),
                        phrase::smaller_or_other_map);
  }
  dimension_ = static_cast<Index>(features);
}

template <typename T>
double FeatureMap<T>::parameter(std::string_view name) const {
  return Parameters{info_, &options_.parameters}[name];
}

template <typename T>
Positivity FeatureMap<T>::positivity() const {
  return entry_->positivity ? entry_->positivity(Parameters{info_, &options_.parameters})
                            : info_->positivity;
}

template <typename T>
bool FeatureMap<T>::streamable(Index length) const {
  if (info_->positional && length < 1) return false;
  return !entry_->couples_rows || !entry_->couples_rows(Parameters{info_, &options_.parameters});
}

template <typename T>
FeatureMap<T> FeatureMap<T>::redraw(std::uint64_t seed) const {
  if (!info_->random) return *this;
  if (!drawn_) {
    throw ValueError("projection", phrase::given_for(info_->label), phrase::only_drawn_anew);
  }
  FeatureMapOptions<T> options = options_;
  options.projection = {};
  options.seed = seed;
  return FeatureMap(info_->id, d_k_, std::move(options));
}

std::uint64_t redraw_seed(std::uint64_t seed, std::uint64_t step, std::uint64_t interval) {
  const std::uint64_t draw = interval == 0 ? 0 : step / interval;
  if (draw == 0) return seed;
  // Two generators follow each other, so that neighbouring seeds do not share draws.
  const std::uint64_t scrambled = Rng(seed, internal::kRedrawStream).next();
  return Rng(scrambled + draw, internal::kRedrawStream).next() >> 11;
}

template <typename T>
Matrix<T> FeatureMap<T>::apply(In<T> x, Role role, Position position) const {
  require_shape<T>("x", x, x.rows(), d_k_, phrase::columns_as_map);
  const double bytes = static_cast<double>(x.rows()) * static_cast<double>(dimension_) * sizeof(T);
  if (bytes > static_cast<double>(kMaxFeatureBytes)) {
    throw CapacityError("feature_map",
                        phrase::features_each_row(info_->label, dimension_, x.rows(),
                                                  std::floor(bytes / (1 << 20))),
                        phrase::memory_fewer_rows(kMaxFeatureBytes >> 20));
  }
  Matrix<T> phi(x.rows(), dimension_);
  if (x.rows() == 0) return phi;
  const Call<T> call = make_call<T>(*info_, options_, role, position, x.rows());
  if constexpr (std::is_same_v<T, float>) {
    const auto kernel = internal::fused_map<T>(*this);
    if (kernel && !kernel->projection && internal::kernels_run<T>()) {
      simd::features(
          {*kernel, x.rows(), x.cols(), x.data(), x.outerStride(), phi.data(), dimension_});
      return phi;
    }
  }
  entry_->functions.apply(call, x, phi);
  internal::note<T>({.read = internal::wide(x.size()), .written = internal::wide(phi.size())});
  return phi;
}

template <typename T>
Matrix<T> FeatureMap<T>::backward(In<T> x, In<T> d_phi, Role role, Position position) const {
  require_shape<T>("x", x, x.rows(), d_k_, phrase::columns_as_map);
  require_shape<T>("d_phi", d_phi, x.rows(), dimension_, phrase::shape_of_features);
  Matrix<T> d_x(x.rows(), d_k_);
  if (x.rows() == 0) return d_x;
  if (!entry_->functions.backward) throw std::logic_error("this program has no gradients of maps");
  entry_->functions.backward(make_call<T>(*info_, options_, role, position, x.rows()), x, d_phi,
                             d_x);
  internal::note<T>(
      {.read = internal::wide(x.size() + d_phi.size()), .written = internal::wide(d_x.size())});
  return d_x;
}

template <typename T>
Matrix<T> simple_feature_map(In<T> x) {
  return FeatureMap<T>("identity", x.cols()).apply(x);
}

template <typename T>
Matrix<T> elu_plus_one(In<T> x) {
  return FeatureMap<T>("elu_plus_one", x.cols()).apply(x);
}

template <typename T>
Matrix<T> elu_feature_map(In<T> x) {
  return elu_plus_one<T>(x);
}

template <typename T>
Matrix<T> relu_feature_map(In<T> x) {
  return FeatureMap<T>("relu", x.cols()).apply(x);
}

template <typename T>
Matrix<T> squared_relu_feature_map(In<T> x) {
  return FeatureMap<T>("squared_relu", x.cols()).apply(x);
}

template <typename T>
Matrix<T> softmax_kernel_feature_map(In<T> x, In<T> projection) {
  // The map would take an empty projection as a request to draw one.
  if (projection.rows() == 0) {
    throw ShapeError("projection", phrase::shape(0, projection.cols()), phrase::at_least_one_row);
  }
  require_shape<T>("projection", projection, projection.rows(), x.cols(), phrase::column_each_d_k);
  FeatureMapOptions<T> options;
  options.parameters = {{"stabilize", 0}};
  options.projection = projection;
  return FeatureMap<T>("softmax_kernel", x.cols(), std::move(options)).apply(x);
}

#define ATTN_INSTANTIATE(T)                              \
  template class FeatureMap<T>;                          \
  template Matrix<T> simple_feature_map<T>(In<T>);       \
  template Matrix<T> elu_plus_one<T>(In<T>);             \
  template Matrix<T> elu_feature_map<T>(In<T>);          \
  template Matrix<T> relu_feature_map<T>(In<T>);         \
  template Matrix<T> squared_relu_feature_map<T>(In<T>); \
  template Matrix<T> softmax_kernel_feature_map<T>(In<T>, In<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
