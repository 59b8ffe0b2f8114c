#pragma once
// One entry of the registry of feature maps, with everything that the library knows about a map.
// Private to the core.
//
// To add a map: write its struct with `apply` and `backward` into a file of this folder, and append
// its entry in the function at the end of that file. For a new file, add its function to
// registry.cpp, where the order of the files is the order in which a reader meets the maps. The
// page, the URL, the benchmarks, the cost model and the tests take the map from there.

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/map_gradients.hpp"
#include "cost/meter.hpp"
#include "simd/kernels.hpp"

namespace attn::internal {

/// The given parameters, with the registry's defaults for the others.
struct Parameters {
  const FeatureMapInfo* info;
  const std::vector<std::pair<std::string, double>>* given;

  double operator[](std::string_view name) const;
};

/// The arguments of an implementation: the map's own settings, and how the map is used.
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
  /// Fills d_x, which has x's shape. Null in a program without gradients.
  void (*backward)(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x);
};

template <typename Map, typename T>
Functions<T> functions_of() {
  return {&Map::template apply<T>, kMapGradients ? &Map::template backward<T> : nullptr};
}

enum class Projection {
  kNone,
  kRandom,    ///< drawn from the seed: as many rows as the parameter `features` says
  kIdentity,  ///< learned in the papers; the identity until somebody gives one
};

/// How many of something a map needs for x of rows×d, as four factors: for each number of x, for
/// each of the rows×D features, for each number of x times the projection (rows×m), and for each
/// row.
struct PerNumber {
  int input = 0, features = 0, projected = 0, rows = 0;
};

/// The work with the default parameters. Work that every map has is left out: reading x (and the
/// gradients at the features), writing the result, and the product with the projection, of which
/// `backward` has two.
struct MapWork {
  PerNumber multiply_adds = {}, exps = {};
  /// The most numbers held at once, besides the arguments and the result.
  PerNumber workspace = {};
};

struct MapCost {
  MapWork forward = {}, backward = {};
};

/// The map as the kernels compute it; empty where they cannot.
using Kernel = std::optional<simd::FeatureMap>;

template <typename T>
struct Entry {
  FeatureMapInfo info;
  Functions<T> functions;
  /// D for inputs of width d and a projection of m rows (0 without one). The type is double because
  /// d² can exceed wasm's 32-bit Index.
  double (*dimension)(double d, double m, const Parameters& parameters);
  /// The cost has no default, so that an entry without it does not compile. The tests compare it
  /// with a counted run.
  MapCost cost;
  Projection projection = Projection::kNone;
  bool takes_bias = false, takes_gain = false;
  /// Whether φ of a row depends on other rows; nullptr means never.
  bool (*couples_rows)(const Parameters& parameters) = nullptr;
  /// The sign of φ where parameters change it; nullptr means the sign in `info`.
  Positivity (*positivity)(const Parameters& parameters) = nullptr;
  /// The map as the kernels compute it; nullptr when the kernels do not.
  Kernel (*kernel)(const Parameters& parameters, Index d_k) = nullptr;
};

/// One table for each scalar type, so that a program that uses only float32 does not contain the
/// float64 code.
template <typename T>
std::span<const Entry<T>> registry();

/// @throws ValueError listing the known ids.
template <typename T>
const Entry<T>& find_entry(std::string_view id);

// The files of this folder. Each function appends its maps.

template <typename T>
void add_entrywise_maps(std::vector<Entry<T>>& all);
template <typename T>
void add_taylor_maps(std::vector<Entry<T>>& all);
template <typename T>
void add_positional_maps(std::vector<Entry<T>>& all);
template <typename T>
void add_random_feature_maps(std::vector<Entry<T>>& all);
template <typename T>
void add_learned_maps(std::vector<Entry<T>>& all);
template <typename T>
void add_product_maps(std::vector<Entry<T>>& all);

// Helpers that several files use.

inline double same(double d, double, const Parameters&) { return d; }
inline double twice(double d, double, const Parameters&) { return 2 * d; }
inline double projected(double, double m, const Parameters&) { return m; }
inline double twice_projected(double, double m, const Parameters&) { return 2 * m; }

inline constexpr FeatureMapParameter kStabilize{
    "stabilize",
    "stabilise",
    "Subtract the largest exponent before exp (queries: per row, keys: of all).",
    0,
    0,
    1,
    true};
inline bool stabilized(const Parameters& parameters) { return parameters["stabilize"] != 0; }

/// The number that the parameter `stabilize` subtracts from the exponents of each row: for queries
/// the row's own largest exponent, for keys the largest of all. A number that is the same for all
/// keys cancels in the quotient; each key's own largest would not.
template <typename T>
Vector<T> largest_exponents(Role role, In<T> exponents) {
  if (role == Role::kQuery) return exponents.rowwise().maxCoeff();
  return Vector<T>::Constant(exponents.rows(), exponents.maxCoeff());
}

/// Turns `gradient`, which is at the exponents minus `largest_exponents`, into the gradient at the
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
/// Counts multiply-adds that no product has counted.
template <typename T>
void note_multiply_adds(Index count) {
  note<T>({.multiply_adds = wide(count)});
}

}  // namespace attn::internal
