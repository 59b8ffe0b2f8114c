#include "attn/feature_map.hpp"

#include <cmath>

#include "attn/errors.hpp"
#include "attn/rng.hpp"
#include "feature_map_registry.hpp"
#include "fused.hpp"
#include "meter.hpp"
#include "parameters.hpp"
#include "simd/simd.hpp"
#include "streams.hpp"
#include "text.hpp"

namespace attn {
namespace {

using internal::Call;
using internal::Entry;
using internal::Parameters;
using internal::Projection;
using internal::require_parameters;

template <typename T>
void require_none(std::string_view name, const Matrix<T>& x, const FeatureMapInfo& info) {
  if (x.size() == 0) return;
  throw ShapeError(name, shape_text(x.rows(), x.cols()),
                   "none: " + std::string(info.id) + " takes no " + std::string(name));
}

template <typename T>
void require_optional_shape(std::string_view name, const Matrix<T>& x, Index rows, Index cols,
                            std::string_view reason) {
  if (x.size() == 0) return;
  require_shape<T>(name, x, rows, cols, reason);
  require_finite<T>(name, x);
}

/// The projection to use, its shape checked.
template <typename T>
Matrix<T> resolve_projection(const Entry<T>& entry, Index d_k,
                             const FeatureMapOptions<T>& options) {
  if (entry.projection == Projection::kNone) {
    require_none("projection", options.projection, entry.info);
    return {};
  }
  if (options.projection.size() > 0) {
    require_shape<T>("projection", options.projection, options.projection.rows(), d_k,
                     "a column for each of d_k");
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
        std::string(entry.info.label) + " with a projection of " +
            number_text(std::floor(bytes / (1 << 20))) + " MiB at d_k = " + std::to_string(d_k),
        "at most " + std::to_string(kMaxFeatureBytes >> 20) + " MiB: a smaller d_k or another map");
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
    throw ValueError("offset", std::to_string(position.offset), "a position from 0 to 2³¹ − 1");
  }
  if (position.length == 0) position.length = position.offset + rows;
  if (position.length < position.offset + rows) {
    throw ValueError(
        "length", std::to_string(position.length),
        "at least " + std::to_string(position.offset + rows) + ", the last position there is");
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
    : info_(&internal::find_entry<T>(id).info),
      d_k_(d_k),
      dimension_(0),
      options_(std::move(options)),
      drawn_(info_->random && options_.projection.size() == 0) {
  if (d_k < 1) throw ValueError("d_k", std::to_string(d_k), "at least 1");
  const Entry<T>& entry = internal::find_entry<T>(id);
  require_parameters(entry.info, options_.parameters);
  options_.projection = resolve_projection(entry, d_k, options_);
  const Index m = options_.projection.rows();
  if (entry.takes_bias) {
    require_optional_shape<T>("bias", options_.bias, 1, m, "one entry for each projection row");
  } else {
    require_none("bias", options_.bias, entry.info);
  }
  if (entry.takes_gain) {
    require_optional_shape<T>("gain", options_.gain, 1, d_k, "one entry for each of d_k");
    require_optional_shape<T>("shift", options_.shift, 1, d_k, "one entry for each of d_k");
  } else {
    require_none("gain", options_.gain, entry.info);
    require_none("shift", options_.shift, entry.info);
  }
  const double features = entry.dimension(static_cast<double>(d_k), static_cast<double>(m),
                                          Parameters{&entry.info, &options_.parameters});
  if (features > 2147483647.0) {
    throw CapacityError("feature_map",
                        std::string(entry.info.label) + " with " + number_text(features) +
                            " features at d_k = " + std::to_string(d_k),
                        "a smaller d_k or another map");
  }
  dimension_ = static_cast<Index>(features);
}

template <typename T>
double FeatureMap<T>::parameter(std::string_view name) const {
  return Parameters{info_, &options_.parameters}[name];
}

template <typename T>
Positivity FeatureMap<T>::positivity() const {
  const Entry<T>& entry = internal::find_entry<T>(info_->id);
  return entry.positivity ? entry.positivity(Parameters{info_, &options_.parameters})
                          : info_->positivity;
}

template <typename T>
bool FeatureMap<T>::streamable(Index length) const {
  if (info_->positional && length < 1) return false;
  const Entry<T>& entry = internal::find_entry<T>(info_->id);
  return !entry.couples_rows || !entry.couples_rows(Parameters{info_, &options_.parameters});
}

template <typename T>
FeatureMap<T> FeatureMap<T>::redraw(std::uint64_t seed) const {
  if (!info_->random) return *this;
  if (!drawn_) {
    throw ValueError("projection", "given for " + std::string(info_->label),
                     "none: only a projection that was drawn can be drawn anew");
  }
  FeatureMapOptions<T> options = options_;
  options.projection = {};
  options.seed = seed;
  return FeatureMap(info_->id, d_k_, std::move(options));
}

std::uint64_t redraw_seed(std::uint64_t seed, std::uint64_t step, std::uint64_t interval) {
  const std::uint64_t draw = interval == 0 ? 0 : step / interval;
  if (draw == 0) return seed;
  // Two generators in a row: seeds that lie close together must not share each other's draws.
  const std::uint64_t scrambled = Rng(seed, internal::kRedrawStream).next();
  return Rng(scrambled + draw, internal::kRedrawStream).next() >> 11;
}

template <typename T>
Matrix<T> FeatureMap<T>::apply(In<T> x, Role role, Position position) const {
  require_shape<T>("x", x, x.rows(), d_k_, "as many columns as the map was made for: d_k");
  const double bytes = static_cast<double>(x.rows()) * static_cast<double>(dimension_) * sizeof(T);
  if (bytes > static_cast<double>(kMaxFeatureBytes)) {
    throw CapacityError("feature_map",
                        std::string(info_->label) + " with " + std::to_string(dimension_) +
                            " features for each of " + std::to_string(x.rows()) + " rows (" +
                            number_text(std::floor(bytes / (1 << 20))) + " MiB)",
                        "at most " + std::to_string(kMaxFeatureBytes >> 20) +
                            " MiB: fewer rows, a smaller d_k or another map");
  }
  Matrix<T> phi(x.rows(), dimension_);
  if (x.rows() == 0) return phi;
  const Call<T> call = make_call<T>(*info_, options_, role, position, x.rows());
  if constexpr (std::is_same_v<T, float>) {
    const auto kernel = internal::fused_map<T>(*this);
    if (kernel && internal::kernels_run<T>()) {
      simd::features(
          {*kernel, x.rows(), x.cols(), x.data(), x.outerStride(), phi.data(), dimension_});
      return phi;
    }
  }
  internal::find_entry<T>(info_->id).functions.apply(call, x, phi);
  internal::note<T>({.read = internal::wide(x.size()), .written = internal::wide(phi.size())});
  return phi;
}

template <typename T>
Matrix<T> FeatureMap<T>::backward(In<T> x, In<T> d_phi, Role role, Position position) const {
  require_shape<T>("x", x, x.rows(), d_k_, "as many columns as the map was made for: d_k");
  require_shape<T>("d_phi", d_phi, x.rows(), dimension_, "the shape of the features");
  Matrix<T> d_x(x.rows(), d_k_);
  if (x.rows() == 0) return d_x;
  internal::find_entry<T>(info_->id).functions.backward(
      make_call<T>(*info_, options_, role, position, x.rows()), x, d_phi, d_x);
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
  // To the map an empty projection is the wish for a drawn one.
  if (projection.rows() == 0) {
    throw ShapeError("projection", shape_text(0, projection.cols()), "at least one row");
  }
  require_shape<T>("projection", projection, projection.rows(), x.cols(),
                   "a column for each of d_k");
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
