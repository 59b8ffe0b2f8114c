#include "attn/attention/quantization.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"

namespace attn {
namespace {

/// Codes in a byte: as many as fit where they fill it.
Index codes_in_byte(Index bits) { return 8 % bits == 0 ? 8 / bits : 1; }

Index largest_code(const QuantizationOptions& options) {
  return options.zero_point ? (Index{1} << options.bits) - 1 : (Index{1} << (options.bits - 1)) - 1;
}

void require_quantization(const QuantizationOptions& options, Index rows, Index cols) {
  if (options.bits < 2 || options.bits > 8) {
    throw ValueError("bits", phrase::number(options.bits), phrase::range(2, 8));
  }
  const Index whole = options.axis == QuantizationAxis::kRow ? cols : rows;
  if (options.group < 0 || (options.group > 0 && whole % options.group != 0)) {
    throw ValueError("group", phrase::number(options.group), phrase::divisor(whole));
  }
}

/// The numbers of one scale: `rows`×`cols` of them, one of which is 1.
struct GroupSize {
  Index rows, cols;
};

GroupSize group_size(const QuantizationOptions& options, Index rows, Index cols) {
  if (options.axis == QuantizationAxis::kRow) return {1, options.group > 0 ? options.group : cols};
  return {options.group > 0 ? options.group : rows, 1};
}

/// Rows `part`, `more` of two matrices one below the other.
template <typename T>
Matrix<T> one_below_other(const Matrix<T>& part, In<T> more) {
  if (part.rows() == 0) return more;
  Matrix<T> made(part.rows() + more.rows(), more.cols());
  made << part, more;
  return made;
}

/// x with its first rows quantised.
template <typename T>
Matrix<T> partly_quantized(In<T> x, Index exact, const QuantizationOptions& options,
                           std::size_t& bytes) {
  const Index old = x.rows() - exact;
  bytes += static_cast<std::size_t>(exact * x.cols()) * sizeof(T);
  Matrix<T> made = x;
  if (old == 0) return made;
  const Quantized<T> codes = quantize<T>(x.topRows(old), options);
  bytes += codes.bytes();
  made.topRows(old) = codes.dequantized();
  return made;
}

}  // namespace

template <typename T>
Quantized<T> quantize(In<T> x, const QuantizationOptions& options) {
  const Index rows = x.rows(), cols = x.cols();
  require_quantization(options, rows, cols);
  require_finite<T>("x", x);
  Quantized<T> made;
  made.options = options;
  made.rows = rows;
  made.cols = cols;
  if (x.size() == 0) return made;
  const GroupSize size = group_size(options, rows, cols);
  const Index across = cols / size.cols, down = rows / size.rows;
  made.scales.resize(down, across);
  if (options.zero_point) made.minima.resize(down, across);
  const Index top = largest_code(options), in_byte = codes_in_byte(options.bits);
  made.packed.assign(static_cast<std::size_t>((x.size() + in_byte - 1) / in_byte), 0);
  for (Index r = 0; r < down; ++r) {
    for (Index c = 0; c < across; ++c) {
      const auto group = x.block(r * size.rows, c * size.cols, size.rows, size.cols);
      const T least = options.zero_point ? group.minCoeff() : T(0);
      const T width = options.zero_point ? group.maxCoeff() - least : group.cwiseAbs().maxCoeff();
      if (!std::isfinite(width)) {
        throw ValueError("x", phrase::number(static_cast<double>(group.maxCoeff())),
                         phrase::finite_range);
      }
      const T scale = width / static_cast<T>(top);
      made.scales(r, c) = scale;
      if (options.zero_point) made.minima(r, c) = least;
      for (Index i = 0; i < size.rows; ++i) {
        for (Index j = 0; j < size.cols; ++j) {
          const T lowest = options.zero_point ? T(0) : static_cast<T>(-top);
          const T code = scale > 0 ? std::nearbyint((group(i, j) - least) / scale) : T(0);
          const Index whole = static_cast<Index>(std::clamp(code, lowest, static_cast<T>(top))) +
                              (options.zero_point ? 0 : top);
          const Index at = (r * size.rows + i) * cols + c * size.cols + j;
          made.packed[static_cast<std::size_t>(at / in_byte)] |=
              static_cast<std::uint8_t>(whole << (in_byte == 1 ? 0 : at % in_byte * options.bits));
        }
      }
    }
  }
  return made;
}

template <typename T>
Index Quantized<T>::code(Index i, Index j) const {
  const Index in_byte = codes_in_byte(options.bits), at = i * cols + j;
  const Index byte = packed[static_cast<std::size_t>(at / in_byte)];
  const Index mask = (Index{1} << options.bits) - 1;
  const Index whole = in_byte == 1 ? byte : (byte >> (at % in_byte * options.bits)) & mask;
  return options.zero_point ? whole : whole - largest_code(options);
}

template <typename T>
Matrix<T> Quantized<T>::codes() const {
  return Matrix<T>::NullaryExpr(rows, cols,
                                [&](Index i, Index j) { return static_cast<T>(code(i, j)); });
}

template <typename T>
Matrix<T> Quantized<T>::dequantized() const {
  const GroupSize size = group_size(options, rows, cols);
  Matrix<T> made = codes();
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      const Index r = i / size.rows, c = j / size.cols;
      made(i, j) *= scales(r, c);
      if (options.zero_point) made(i, j) += minima(r, c);
    }
  }
  return made;
}

template <typename T>
std::size_t Quantized<T>::bytes() const {
  return packed.size() + sizeof(T) * static_cast<std::size_t>(scales.size() + minima.size());
}

template <typename T>
PlantedOutliers<T> plant_outliers(In<T> x, const OutlierOptions& options) {
  if (options.channels < 0 || options.channels > x.cols()) {
    throw ValueError("channels", phrase::number(options.channels), phrase::range(0, x.cols()));
  }
  if (!std::isfinite(options.offset)) {
    throw ValueError("offset", phrase::number(options.offset), phrase::finite_number);
  }
  Rng rng(options.seed);
  std::vector<Index> columns(static_cast<std::size_t>(x.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  PlantedOutliers<T> made{x, {}};
  for (Index i = 0; i < options.channels; ++i) {
    const auto rest = static_cast<std::uint64_t>(x.cols() - i);
    const auto at = static_cast<std::size_t>(i) + static_cast<std::size_t>(rng.below(rest));
    std::swap(columns[static_cast<std::size_t>(i)], columns[at]);
    const Index column = columns[static_cast<std::size_t>(i)];
    const double sign = rng.below(2) == 0 ? 1 : -1;
    made.x.col(column).array() += static_cast<T>(sign * options.offset);
    made.channels.push_back(column);
  }
  std::sort(made.channels.begin(), made.channels.end());
  return made;
}

ExactTokens kivi_exact_tokens(Index n, Index residual) {
  if (n < 0) throw ValueError("n", phrase::number(n), phrase::at_least(0));
  if (residual < 1) throw ValueError("residual", phrase::number(residual), phrase::at_least(1));
  return {n % residual, std::min(n, residual)};
}

template <typename T>
QuantizedCacheResult<T> quantized_cache_attention(In<T> Q, In<T> K, In<T> V,
                                                  const QuantizedCacheOptions& options) {
  const auto require_exact = [&](std::string_view name, Index exact) {
    if (exact >= 0 && exact <= K.rows()) return;
    throw ValueError(name, phrase::number(exact), phrase::range(0, K.rows()));
  };
  require_qkv<T>(Q, K, V);
  if (Q.rows() > K.rows()) {
    throw ShapeError("Q", phrase::shape(Q.rows(), Q.cols()), phrase::rows_up_to_kept(K.rows()));
  }
  require_exact("exact_keys", options.exact_keys);
  require_exact("exact_values", options.exact_values);
  AttentionOptions<T> each;
  each.mask = Mask::causal_bottom_right();
  each.scale = options.scale;
  QuantizedCacheResult<T> made;
  made.keys = partly_quantized<T>(K, options.exact_keys, options.keys, made.bytes);
  made.values = partly_quantized<T>(V, options.exact_values, options.values, made.bytes);
  made.exact_bytes = static_cast<std::size_t>(K.size() + V.size()) * sizeof(T);
  made.exact_output = attention<T>(Q, K, V, each).output;
  AttentionResult<T> low = attention<T>(Q, made.keys, made.values, each);
  made.output = std::move(low.output);
  made.weights = std::move(low.weights);
  made.relative_error = precision_error<T>(made.exact_output, made.output).relative_frobenius;
  return made;
}

template <typename T>
QuantizedCache<T>::QuantizedCache(Index d_k, Index d_v, const QuantizedCacheSettings& settings)
    : d_k_(d_k), d_v_(d_v), settings_(settings), new_keys_(0, d_k), new_values_(0, d_v) {
  if (d_k < 1) throw ValueError("d_k", phrase::number(d_k), phrase::at_least(1));
  if (d_v < 1) throw ValueError("d_v", phrase::number(d_v), phrase::at_least(1));
  kivi_exact_tokens(0, settings.residual);
  require_quantization({settings.bits, true, QuantizationAxis::kColumn, settings.group},
                       settings.residual, d_k);
  require_quantization({settings.bits, true, QuantizationAxis::kRow, settings.group}, 1, d_v);
}

template <typename T>
void QuantizedCache<T>::append(In<T> K, In<T> V) {
  require_shape<T>("K", K, K.rows(), d_k_, phrase::columns_as_q);
  require_shape<T>("V", V, K.rows(), d_v_, phrase::rows_as_k);
  require_finite<T>("K", K);
  require_finite<T>("V", V);
  if (K.rows() == 0) return;
  const Index residual = settings_.residual;
  Matrix<T> keys = one_below_other<T>(new_keys_, K), values = one_below_other<T>(new_values_, V);
  // Both are complete before anything of the cache changes.
  std::vector<Quantized<T>> more_keys, more_values;
  Index at = 0;
  for (; keys.rows() - at >= residual; at += residual) {
    more_keys.push_back(
        quantize<T>(keys.middleRows(at, residual),
                    {settings_.bits, true, QuantizationAxis::kColumn, settings_.group}));
  }
  const Index leaving = std::max<Index>(values.rows() - residual, 0);
  for (Index t = 0; t < leaving; ++t) {
    more_values.push_back(quantize<T>(
        values.row(t), {settings_.bits, true, QuantizationAxis::kRow, settings_.group}));
  }
  new_keys_ = keys.bottomRows(keys.rows() - at).eval();
  new_values_ = values.bottomRows(values.rows() - leaving).eval();
  std::move(more_keys.begin(), more_keys.end(), std::back_inserter(old_keys_));
  std::move(more_values.begin(), more_values.end(), std::back_inserter(old_values_));
  size_ += K.rows();
}

template <typename T>
Matrix<T> QuantizedCache<T>::keys() const {
  Matrix<T> made(size_, d_k_);
  Index at = 0;
  for (const Quantized<T>& block : old_keys_) {
    made.middleRows(at, block.rows) = block.dequantized();
    at += block.rows;
  }
  made.bottomRows(new_keys_.rows()) = new_keys_;
  return made;
}

template <typename T>
Matrix<T> QuantizedCache<T>::values() const {
  Matrix<T> made(size_, d_v_);
  for (std::size_t t = 0; t < old_values_.size(); ++t) {
    made.row(static_cast<Index>(t)) = old_values_[t].dequantized();
  }
  made.bottomRows(new_values_.rows()) = new_values_;
  return made;
}

template <typename T>
AttentionResult<T> QuantizedCache<T>::attend(In<T> Q, std::optional<double> scale) const {
  if (Q.rows() > size_) {
    throw ShapeError("Q", phrase::shape(Q.rows(), Q.cols()), phrase::rows_up_to_kept(size_));
  }
  AttentionOptions<T> each;
  each.mask = Mask::causal_bottom_right();
  each.scale = scale;
  return attention<T>(Q, keys(), values(), each);
}

template <typename T>
std::size_t QuantizedCache<T>::bytes() const {
  std::size_t all = static_cast<std::size_t>(new_keys_.size() + new_values_.size()) * sizeof(T);
  for (const auto* list : {&old_keys_, &old_values_}) {
    for (const Quantized<T>& one : *list) all += one.bytes();
  }
  return all;
}

#define ATTN_INSTANTIATE(T)                                                                    \
  template struct Quantized<T>;                                                                \
  template Quantized<T> quantize<T>(In<T>, const QuantizationOptions&);                        \
  template PlantedOutliers<T> plant_outliers<T>(In<T>, const OutlierOptions&);                 \
  template QuantizedCacheResult<T> quantized_cache_attention<T>(In<T>, In<T>, In<T>,           \
                                                                const QuantizedCacheOptions&); \
  template class QuantizedCache<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
