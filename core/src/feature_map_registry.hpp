#pragma once
// One row of the registry of feature maps: what it is and how it is computed. Private to the core.

#include "attn/feature_map.hpp"

namespace attn::internal {

/// Parameters as given, with the registry's defaults behind them.
struct Parameters {
  const FeatureMapInfo* info;
  const std::vector<std::pair<std::string, double>>* given;

  double operator[](std::string_view name) const;
};

/// What an implementation sees: the map's own settings and how it is being used.
template <typename T>
struct Call {
  const FeatureMapOptions<T>& options;
  Parameters parameters;
  Role role;
  Position position;  // length is resolved: never 0

  T parameter(std::string_view name) const { return static_cast<T>(parameters[name]); }
  bool flag(std::string_view name) const { return parameters[name] != 0; }
};

template <typename T>
struct Functions {
  /// Fills phi, which is rows(x)×D.
  void (*apply)(const Call<T>& call, In<T> x, Matrix<T>& phi);
  /// Fills d_x, which has x's shape.
  void (*backward)(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x);
};

enum class Projection {
  kNone,
  kRandom,    ///< drawn from the seed: as many rows as the parameter `features` says
  kIdentity,  ///< learned in the papers; the identity until somebody gives one
};

template <typename T>
struct Entry {
  FeatureMapInfo info;
  Functions<T> functions;
  /// D for inputs of width d and a projection of m rows (0 without one). In double, because d² can
  /// exceed wasm's 32-bit Index.
  double (*dimension)(double d, double m, const Parameters& parameters);
  Projection projection = Projection::kNone;
  bool takes_bias = false, takes_gain = false;
  /// Whether φ of a row depends on other rows; nullptr: never.
  bool (*couples_rows)(const Parameters& parameters) = nullptr;
  /// The sign of φ where parameters change it; nullptr: as `info` says.
  Positivity (*positivity)(const Parameters& parameters) = nullptr;
};

/// One table a scalar, so that a program that only uses float32 does not carry the float64 code.
template <typename T>
std::span<const Entry<T>> registry();

/// @throws ValueError listing the known ids.
template <typename T>
const Entry<T>& find_entry(std::string_view id);

}  // namespace attn::internal
