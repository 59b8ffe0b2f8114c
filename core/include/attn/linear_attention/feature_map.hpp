#pragma once
// Feature maps φ of linear attention, as a registry: pages, URLs, benchmarks and tests all take the
// maps from `feature_maps()`.
//
// To add one, see core/src/linear_attention/feature_maps/entry.hpp.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {
namespace internal {
template <typename T>
struct Entry;
}  // namespace internal

/// The sign φ can take. It decides whether φ(q)·Σφ(k) can be divided by.
enum class Positivity {
  kPositive,     ///< every feature > 0, until it underflows (in float32: e^x below x ≈ −87)
  kNonNegative,  ///< ≥ 0; zeros happen
  kAny,          ///< features may be negative
};

struct FeatureMapParameter {
  std::string_view name, label, description;
  double default_value, min, max;
  bool integer;
};

struct FeatureMapPaper {
  std::string_view title, url, where;
};

/// The description of a feature map, available without running it.
struct FeatureMapInfo {
  std::string_view id, label;
  /// TeX of φ(x), and of D in terms of d.
  std::string_view tex, dimension_tex;
  /// The sign with the default parameters; `FeatureMap::positivity` gives it for the actual ones.
  Positivity positivity;
  /// The formula of φ(q)·φ(k), and whether it approximates e^{q·k/√d}.
  std::string_view kernel;
  /// A warning about the map's limits.
  std::string_view note;
  /// Whether the map draws a projection from the seed, unless one is given.
  bool random = false;
  /// Whether φ depends on the position of the row.
  bool positional = false;
  FeatureMapPaper paper;
  std::vector<FeatureMapParameter> parameters = {};
};

/// All registered maps, in the order in which a reader meets them.
std::span<const FeatureMapInfo> feature_maps();

/// @throws ValueError listing the known ids.
const FeatureMapInfo& feature_map_info(std::string_view id);

/// Whether rows are queries or keys. Some maps treat them differently (FAVOR+ stabilises them
/// differently).
enum class Role { kQuery, kKey };

/// The position of row 0 in its sequence, and the length of that sequence; 0 means "offset + rows".
struct Position {
  Index offset = 0;
  Index length = 0;
};

template <typename T = float>
struct FeatureMapOptions {
  /// Parameters by name; a parameter that is left out takes its default.
  std::vector<std::pair<std::string, double>> parameters;
  /// Seed of a random projection.
  std::uint64_t seed = 0;
  /// One row per feature × d_k: replaces the drawn projection (random features) or the identity
  /// (Hedgehog, T2R). Empty for the default.
  Matrix<T> projection;
  /// One entry per row of the projection (fla's Hedgehog, T2R); empty is 0.
  Matrix<T> bias;
  /// 1×d_k, gain and shift of ReBased's layer norm; empty is 1 and 0.
  Matrix<T> gain, shift;
};

/// One feature map, ready to be applied to rows of width d_k. Immutable.
template <typename T = float>
class FeatureMap {
 public:
  /// @throws ValueError for an unknown id or parameter or a value outside its range; ShapeError for
  /// a projection, bias, gain or shift of the wrong shape, or one the map does not take;
  /// CapacityError when D would exceed 2³¹ − 1, or a projection that is not given
  /// `kMaxFeatureBytes`.
  FeatureMap(std::string_view id, Index d_k, FeatureMapOptions<T> options = {});

  const FeatureMapInfo& info() const { return *info_; }
  Index d_k() const { return d_k_; }
  /// D
  Index dimension() const { return dimension_; }
  /// The parameter as it was given, or its default.
  /// @throws ValueError for a name the map does not know.
  double parameter(std::string_view name) const;
  /// The sign of φ with the given parameters, which change it for some maps (ReLU with a floor,
  /// DPFP as in fla).
  Positivity positivity() const;
  /// The options as they were given, with the projection that was drawn.
  const FeatureMapOptions<T>& options() const { return options_; }
  /// Whether φ of a row is independent of the other rows, so that a state can be carried from call
  /// to call. False with a stabiliser, and for cosFormer unless the `length` of the whole sequence
  /// is known beforehand.
  bool streamable(Index length = 0) const;
  /// The same map with the projection that `seed` draws; a map without a projection is returned
  /// unchanged. A state made with the old projection is meaningless with the new one. O(m·d²).
  /// @throws ValueError when the projection was given and not drawn.
  FeatureMap redraw(std::uint64_t seed) const;

  /// φ(x): rows(x)×D. Finite for float32 entries up to 1e4, except where the entry's `note` says
  /// that it overflows. O(rows·D); with a projection of m rows also rows·m·d_k multiply-adds.
  /// @throws ShapeError unless x has d_k columns; ValueError for a position outside 0 … 2³¹ − 1 or
  /// past its length; CapacityError when the result would exceed `kMaxFeatureBytes`.
  Matrix<T> apply(In<T> x, Role role = Role::kQuery, Position position = {}) const;

  /// Gradient of Σ φ(x) ∘ d_phi with respect to x: rows(x)×d_k. At a kink (ReLU at 0) it is 0, as
  /// in PyTorch. d_phi rows(x)×D. φ(x) is computed again where the gradient needs it: O(rows·D);
  /// with a projection of m rows up to 2·rows·m·d_k multiply-adds.
  /// @throws ShapeError unless x has d_k columns and d_phi the shape of the features; ValueError
  /// for a position as in `apply`.
  Matrix<T> backward(In<T> x, In<T> d_phi, Role role = Role::kQuery, Position position = {}) const;

  /// The registry's entry of the map, for the core's own use.
  const internal::Entry<T>& entry() const { return *entry_; }

 private:
  const internal::Entry<T>* entry_;
  const FeatureMapInfo* info_;
  Index d_k_, dimension_;
  FeatureMapOptions<T> options_;
  bool drawn_;
};

/// The number of training steps for which lucidrains' Performer keeps one projection. The published
/// JAX code draws a new one for every call (interval 1; its generalised attention never does), also
/// at evaluation.
inline constexpr std::uint64_t kRedrawInterval = 1000;

/// The seed of the projection for training step `step`, counted from 0: `seed` itself for the first
/// `interval` steps, and another one for each following `interval`. Interval 0 never changes it.
/// The result is below 2⁵³ if `seed` is, so that a page can store it. O(1).
///
/// Redrawing keeps a model from depending on the accidents of one W. Redraw while training, but
/// never at evaluation, where outputs would become random.
///
///   map = map.redraw(redraw_seed(seed, step));
std::uint64_t redraw_seed(std::uint64_t seed, std::uint64_t step,
                          std::uint64_t interval = kRedrawInterval);

/// The most memory that one φ(x) may take, so that the full Taylor map of d_k = 256 ends in a
/// message and not in a crashed tab.
inline constexpr std::size_t kMaxFeatureBytes = std::size_t{256} << 20;

// The maps that the course texts name, as plain functions of x (n×d). Each is the registry's map of
// the same name with its default parameters. All cost O(n·d) unless their comment says otherwise,
// and throw ValueError for an x without columns and CapacityError as `FeatureMap::apply`.

/// φ(x) = x; n×d. For unnormalised use: φ(q)·Σφ(k) changes sign.
template <typename T = float>
Matrix<T> simple_feature_map(In<T> x);
/// φ(x) = ELU(x) + 1 = x + 1 for x > 0, eˣ otherwise; n×d (Katharopoulos et al. 2020,
/// arXiv:2006.16236, equation 7). eˣ is computed directly: ELU(x) + 1 in float32 is exactly 0 below
/// −17.4.
template <typename T = float>
Matrix<T> elu_plus_one(In<T> x);
/// `elu_plus_one` under the name that lab 2 uses.
template <typename T = float>
Matrix<T> elu_feature_map(In<T> x);
/// φ(x) = max(0, x); n×d.
template <typename T = float>
Matrix<T> relu_feature_map(In<T> x);
/// φ(x) = max(0, x)²; n×d. Smoother than ReLU, with the same zeros.
template <typename T = float>
Matrix<T> squared_relu_feature_map(In<T> x);
/// φ(x) = exp(Wx′ − ‖x′‖²/2)/√m with x′ = x/d^{1/4}; n×m for an m×d projection W. E[φ(q)·φ(k)] =
/// e^{q·k/√d} for rows of W from N(0, I) (Choromanski et al. 2021, arXiv:2009.14794, lemma 1). No
/// stabiliser: this is the formula itself. n·m·d multiply-adds and n·m exp.
/// @throws ShapeError for a projection without rows or not d wide; ValueError for one that is not
/// finite or an x without columns; CapacityError as `FeatureMap::apply`.
template <typename T = float>
Matrix<T> softmax_kernel_feature_map(In<T> x, In<T> projection);

}  // namespace attn
