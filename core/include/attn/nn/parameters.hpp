#pragma once
// The parameters of a model: one vector of numbers, in which each matrix has a name and a place. An
// optimiser sees the vector, a layer its matrices, a file the names.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/base/rng.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// How a parameter begins. Letters: a matrix of `outputs` rows and `inputs` columns.
enum class Initializer {
  kZeros,
  kOnes,
  kNormal,         ///< N(0, size²)
  kUniform,        ///< uniform in ±size
  kInputNormal,    ///< N(0, size²/inputs): a layer keeps the size of what it gets
  kXavierUniform,  ///< uniform in ±size·√(6/(inputs + outputs)) (Glorot and Bengio 2010, eq. 16)
  kKaimingUniform,  ///< uniform in ±size/√inputs: PyTorch's for linear layers and their biases
  kConstant,        ///< size
  /// ln(1), ln(2), …, ln(inputs) in each row: Mamba's rates (arXiv:2312.00752, section 3.6, S4D).
  kLogIndex,
  /// x with softplus(x) log-uniform in [1e-3, 0.1]: the bias of Mamba's steps.
  kInverseSoftplusStep,
  /// −5 + 8·(c/(d − 1))^0.7 for channel c: the decay of RWKV-4's time mix.
  kTimeDecay,
};

/// The names that `initializer_named` knows, in the order of the enumeration: "zeros", "ones",
/// "normal", "uniform", "input_normal", "xavier_uniform", "kaiming_uniform", "constant",
/// "log_index", "inverse_softplus_step", "time_decay".
std::span<const std::string_view> initializer_names();

/// @throws ValueError for a name that is none of `initializer_names()`.
Initializer initializer_named(std::string_view name);

struct ParameterInfo {
  /// "blocks.0.ln1.weight"
  std::string name;
  Index rows = 0, cols = 0;
  Initializer initializer = Initializer::kZeros;
  double size = 1;
  /// A vector of `rows` entries in files, and one column here.
  bool is_vector = false;
  /// Whether weight decay is for it: for matrices, not for biases, gains and rates.
  bool decays = true;
  /// Where it begins in the vector.
  Index offset = 0;

  Index count() const { return rows * cols; }
};

/// The most numbers of a table: 2²⁶, which are 256 MiB in float32, and four times as many bytes
/// while they are trained.
inline constexpr Index kMaxParameters = Index{1} << 26;
/// The widest layer. Three of these side by side are still a number of 32 bits.
inline constexpr Index kMaxLayerWidth = Index{1} << 20;

/// @throws ValueError, naming the argument, below `least`; CapacityError beyond `kMaxLayerWidth`.
void require_layer_width(std::string_view name, Index width, Index least = 1);

/// The list of parameters with their places.
class ParameterTable {
 public:
  /// Adds rows×cols numbers behind those that are there.
  /// @throws ValueError for a name that is there already, or without rows and columns;
  /// CapacityError for more than `kMaxParameters` numbers in all.
  void add_matrix(std::string name, Index rows, Index cols,
                  Initializer initializer = Initializer::kInputNormal, double size = 1);
  /// Adds a vector, which does not decay.
  void add_vector(std::string name, Index rows, Initializer initializer = Initializer::kZeros,
                  double size = 1);
  /// Adds every entry of another table, each name with `prefix` in front.
  void append(const ParameterTable& other, const std::string& prefix);

  std::span<const ParameterInfo> entries() const { return entries_; }
  /// How many numbers there are.
  Index size() const { return size_; }
  /// @throws ValueError, listing the names, for a name that is not there.
  const ParameterInfo& at(std::string_view name) const;
  bool contains(std::string_view name) const;

 private:
  void add(ParameterInfo info);

  std::vector<ParameterInfo> entries_;
  Index size_ = 0;
};

/// The matrix of an entry, to read and to write, in the vector of its table.
template <typename T = float>
Eigen::Map<const Matrix<T>> view(const ParameterInfo& info, InVector<T> values) {
  return {values.data() + info.offset, info.rows, info.cols};
}
template <typename T = float>
Eigen::Map<Matrix<T>> edit(const ParameterInfo& info,
                           Eigen::Ref<Vector<std::type_identity_t<T>>> values) {
  return {values.data() + info.offset, info.rows, info.cols};
}

/// Begins one parameter: each entry draws from the stream of its index in the table, so that a
/// parameter more does not change those before it. In float64, then rounded: the same numbers in
/// both precisions. O(size).
template <typename T = float>
void initialize(const ParameterTable& table, std::uint64_t seed,
                Eigen::Ref<Vector<std::type_identity_t<T>>> values);

/// 1 where a number of the vector decays, else 0: what `AdamW::step` takes.
template <typename T = float>
Vector<T> decay_mask(const ParameterTable& table);

}  // namespace attn
