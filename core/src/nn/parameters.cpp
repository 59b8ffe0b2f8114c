#include "attn/nn/parameters.hpp"

#include <array>
#include <cmath>

#include "attn/base/errors.hpp"
#include "attn/nn/phrases.hpp"
#include "base/names.hpp"

namespace attn {
namespace {

/// In the order of the enumeration.
constexpr std::array<std::string_view, 11> kInitializers{"zeros",           "ones",
                                                         "normal",          "uniform",
                                                         "input_normal",    "xavier_uniform",
                                                         "kaiming_uniform", "constant",
                                                         "log_index",       "inverse_softplus_step",
                                                         "time_decay"};

/// One number of a parameter.
double drawn(const ParameterInfo& info, Index row, Index col, Rng& rng) {
  const double inputs = static_cast<double>(info.cols), outputs = static_cast<double>(info.rows);
  switch (info.initializer) {
    case Initializer::kZeros:
      return 0;
    case Initializer::kOnes:
      return 1;
    case Initializer::kNormal:
      return info.size * rng.gaussian();
    case Initializer::kUniform:
      return info.size * (2 * rng.uniform() - 1);
    case Initializer::kInputNormal:
      return info.size * rng.gaussian() / std::sqrt(inputs);
    case Initializer::kXavierUniform:
      return info.size * std::sqrt(6 / (inputs + outputs)) * (2 * rng.uniform() - 1);
    case Initializer::kKaimingUniform:
      return info.size * (2 * rng.uniform() - 1) / std::sqrt(inputs);
    case Initializer::kConstant:
      return info.size;
    case Initializer::kLogIndex:
      return std::log(static_cast<double>(col + 1));
    case Initializer::kInverseSoftplusStep: {
      const double low = std::log(1e-3), high = std::log(0.1);
      const double step = std::max(std::exp(low + rng.uniform() * (high - low)), 1e-4);
      return step + std::log(-std::expm1(-step));
    }
    case Initializer::kTimeDecay: {
      const double share =
          info.rows == 1 ? 0 : static_cast<double>(row) / static_cast<double>(info.rows - 1);
      return -5 + 8 * std::pow(share, 0.7);
    }
  }
  return 0;
}

}  // namespace

std::span<const std::string_view> initializer_names() { return kInitializers; }

Initializer initializer_named(std::string_view name) {
  for (std::size_t i = 0; i < kInitializers.size(); ++i) {
    if (kInitializers[i] == name) return static_cast<Initializer>(i);
  }
  throw ValueError(
      "initializer", phrase::quoted(name),
      phrase::one_of(std::vector<std::string>(kInitializers.begin(), kInitializers.end())));
}

void require_layer_width(std::string_view name, Index width, Index least) {
  if (width < least) throw ValueError(name, phrase::number(width), phrase::at_least(least));
  if (width > kMaxLayerWidth) {
    throw CapacityError(name, phrase::number(width), phrase::at_most(kMaxLayerWidth));
  }
}

void ParameterTable::add(ParameterInfo info) {
  if (info.rows < 1 || info.cols < 1) {
    throw ShapeError(info.name, phrase::shape(info.rows, info.cols), phrase::row_and_column);
  }
  if (contains(info.name)) {
    throw ValueError("name", phrase::quoted(info.name), phrase::name_once);
  }
  // In 64 bits: an Index has 32 of them in WebAssembly.
  const auto wide = [](Index number) { return static_cast<std::uint64_t>(number); };
  if (wide(info.rows) * wide(info.cols) + wide(size_) > wide(kMaxParameters)) {
    throw CapacityError(info.name, phrase::shape(info.rows, info.cols),
                        phrase::at_most(kMaxParameters));
  }
  info.offset = size_;
  size_ += info.count();
  entries_.push_back(std::move(info));
}

void ParameterTable::add_matrix(std::string name, Index rows, Index cols, Initializer initializer,
                                double size) {
  add({std::move(name), rows, cols, initializer, size});
}

void ParameterTable::add_vector(std::string name, Index rows, Initializer initializer,
                                double size) {
  add({std::move(name), rows, 1, initializer, size, true, false});
}

void ParameterTable::append(const ParameterTable& other, const std::string& prefix) {
  for (ParameterInfo info : other.entries_) {
    info.name = prefix + info.name;
    add(std::move(info));
  }
}

bool ParameterTable::contains(std::string_view name) const {
  for (const ParameterInfo& info : entries_) {
    if (info.name == name) return true;
  }
  return false;
}

const ParameterInfo& ParameterTable::at(std::string_view name) const {
  for (const ParameterInfo& info : entries_) {
    if (info.name == name) return info;
  }
  throw ValueError("name", phrase::quoted(name),
                   phrase::one_of(internal::names_of(
                       entries_, [](const ParameterInfo& info) { return info.name; })));
}

template <typename T>
void initialize(const ParameterTable& table, std::uint64_t seed,
                Eigen::Ref<Vector<std::type_identity_t<T>>> values) {
  require_shape<T>("values", values.transpose(), 1, table.size(), phrase::entry_each_parameter);
  std::uint64_t stream = 0;
  for (const ParameterInfo& info : table.entries()) {
    Rng rng(seed, stream++);
    auto matrix = edit<T>(info, values);
    for (Index i = 0; i < info.rows; ++i) {
      for (Index j = 0; j < info.cols; ++j) matrix(i, j) = static_cast<T>(drawn(info, i, j, rng));
    }
  }
}

template <typename T>
Vector<T> decay_mask(const ParameterTable& table) {
  Vector<T> mask(table.size());
  for (const ParameterInfo& info : table.entries()) {
    mask.segment(info.offset, info.count()).setConstant(info.decays ? T{1} : T{0});
  }
  return mask;
}

#define ATTN_INSTANTIATE(T)                                                                 \
  template void initialize<T>(const ParameterTable&, std::uint64_t, Eigen::Ref<Vector<T>>); \
  template Vector<T> decay_mask<T>(const ParameterTable&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
