#include "attn/attention/kv_cache.hpp"

#include <algorithm>
#include <cmath>

#include "attention/cached_heads.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

Precision half_of(KvStorage storage) {
  return storage == KvStorage::kFloat16 ? Precision::kFloat16 : Precision::kBfloat16;
}

void require_at_least_one(std::string_view name, Index x) {
  if (x < 1) throw ValueError(name, phrase::number(x), phrase::at_least(1));
}

/// The bytes of one key or value. The type is a floating-point number, because a request can exceed
/// 64 bits.
double row_bytes(Index width, KvStorage storage, std::size_t scalar_bytes) {
  const auto numbers = static_cast<double>(width), scalar = static_cast<double>(scalar_bytes);
  switch (storage) {
    case KvStorage::kFloat16:
    case KvStorage::kBfloat16:
      return 2 * numbers;
    case KvStorage::kInt8:
      return numbers + scalar;
    case KvStorage::kExact:
      break;
  }
  return numbers * scalar;
}

double bytes_of(double tokens, Index kv_heads, Index d_k, Index d_v, KvStorage storage,
                std::size_t scalar_bytes) {
  return tokens * static_cast<double>(kv_heads) *
         (row_bytes(d_k, storage, scalar_bytes) + row_bytes(d_v, storage, scalar_bytes));
}

}  // namespace

std::uint64_t kv_cache_bytes(Index tokens, Index kv_heads, Index d_k, Index d_v, KvStorage storage,
                             std::size_t scalar_bytes) {
  if (tokens < 0) throw ValueError("tokens", phrase::number(tokens), phrase::at_least(0));
  require_at_least_one("kv_heads", kv_heads);
  require_at_least_one("d_k", d_k);
  require_at_least_one("d_v", d_v);
  const double bytes =
      bytes_of(static_cast<double>(tokens), kv_heads, d_k, d_v, storage, scalar_bytes);
  if (bytes > 0x1p53) {
    throw CapacityError("tokens", phrase::tokens_of_bytes(tokens, bytes), phrase::exact_bytes);
  }
  return static_cast<std::uint64_t>(bytes);
}

template <typename T>
void KvCache<T>::Rows::allocate(Index rows, Index row_width, KvStorage how) {
  width = row_width;
  storage = how;
  const auto numbers = static_cast<std::size_t>(rows * row_width);
  switch (how) {
    case KvStorage::kExact:
      exact.resize(rows, row_width);
      break;
    case KvStorage::kFloat16:
    case KvStorage::kBfloat16:
      halves.resize(numbers);
      break;
    case KvStorage::kInt8:
      codes.resize(numbers);
      scales.resize(static_cast<std::size_t>(rows));
      break;
  }
}

template <typename T>
void KvCache<T>::Rows::write(Index row, const T* from) {
  const Index at = row * width;
  switch (storage) {
    case KvStorage::kExact:
      std::copy(from, from + width, exact.data() + at);
      break;
    case KvStorage::kFloat16:
    case KvStorage::kBfloat16:
      for (Index k = 0; k < width; ++k) {
        halves[static_cast<std::size_t>(at + k)] =
            to_bits(static_cast<double>(from[k]), half_of(storage));
      }
      break;
    case KvStorage::kInt8:
      scales[static_cast<std::size_t>(row)] = quantize_row<T>(from, width, codes.data() + at);
      break;
  }
}

template <typename T>
void KvCache<T>::Rows::copy(Index row, const Rows& from, Index from_row) {
  const auto copy_row = [&](const auto* source, auto* target, Index size) {
    std::copy(source + from_row * size, source + (from_row + 1) * size, target + row * size);
  };
  switch (storage) {
    case KvStorage::kExact:
      copy_row(from.exact.data(), exact.data(), width);
      break;
    case KvStorage::kFloat16:
    case KvStorage::kBfloat16:
      copy_row(from.halves.data(), halves.data(), width);
      break;
    case KvStorage::kInt8:
      copy_row(from.codes.data(), codes.data(), width);
      copy_row(from.scales.data(), scales.data(), 1);
      break;
  }
}

template <typename T>
void KvCache<T>::Rows::read(Index first, Eigen::Ref<Matrix<T>> into) const {
  for (Index r = 0; r < into.rows(); ++r) {
    const Index at = (first + r) * width;
    T* out = into.row(r).data();
    switch (storage) {
      case KvStorage::kExact:
        std::copy(exact.data() + at, exact.data() + at + width, out);
        break;
      case KvStorage::kFloat16:
      case KvStorage::kBfloat16:
        for (Index k = 0; k < width; ++k) {
          out[k] =
              static_cast<T>(from_bits(halves[static_cast<std::size_t>(at + k)], half_of(storage)));
        }
        break;
      case KvStorage::kInt8:
        for (Index k = 0; k < width; ++k) {
          out[k] = scales[static_cast<std::size_t>(first + r)] *
                   static_cast<T>(codes[static_cast<std::size_t>(at + k)]);
        }
        break;
    }
  }
}

template <typename T>
KvCache<T>::KvCache(Index capacity, Index kv_heads, Index d_k, Index d_v, KvCacheOptions options)
    : capacity_(capacity), kv_heads_(kv_heads), d_k_(d_k), d_v_(d_v), options_(options) {
  require_at_least_one("capacity", capacity);
  require_at_least_one("kv_heads", kv_heads);
  require_at_least_one("d_k", d_k);
  require_at_least_one("d_v", d_v);
  if (options.window && (*options.window < 1 || *options.window > capacity)) {
    throw ValueError("window", phrase::number(*options.window),
                     phrase::up_to_capacity(1, capacity));
  }
  const double bytes =
      bytes_of(static_cast<double>(capacity), kv_heads, d_k, d_v, options.storage, sizeof(T));
  if (bytes > static_cast<double>(kMaxKvCacheBytes)) {
    throw CapacityError("capacity", phrase::tokens_of_mebibytes(capacity, bytes / (1 << 20)),
                        phrase::at_most_mebibytes(kMaxKvCacheBytes >> 20));
  }
  keys_.allocate(capacity * kv_heads, d_k, options.storage);
  values_.allocate(capacity * kv_heads, d_v, options.storage);
}

template <typename T>
void KvCache<T>::require_tokens(In<T> K, In<T> V) const {
  require_shape<T>("K", K, K.rows(), kv_heads_ * d_k_, phrase::kv_heads_dk_columns);
  require_shape<T>("V", V, K.rows(), kv_heads_ * d_v_, phrase::kv_heads_dv_columns);
  require_finite<T>("K", K);
  require_finite<T>("V", V);
  if (!is_ring() && K.rows() > capacity_ - appended_) {
    throw CapacityError("K", phrase::tokens_after_kept(K.rows(), appended_, appended_ + K.rows()),
                        phrase::at_most_capacity(capacity_));
  }
  const bool halves =
      options_.storage == KvStorage::kFloat16 || options_.storage == KvStorage::kBfloat16;
  if (!halves || K.rows() == 0) return;
  const auto require_fits = [&](std::string_view name, In<T> x) {
    const auto largest = static_cast<double>(x.cwiseAbs().maxCoeff());
    if (std::isfinite(rounded(largest, half_of(options_.storage)))) return;
    throw ValueError(name, phrase::magnitude_somewhere(largest), phrase::storage_can_hold);
  };
  require_fits("K", K);
  require_fits("V", V);
}

template <typename T>
void KvCache<T>::append(In<T> K, In<T> V) {
  require_tokens(K, V);
  for (Index r = 0; r < K.rows(); ++r) {
    const Index slot = appended_ % capacity_;
    for (Index g = 0; g < kv_heads_; ++g) {
      keys_.write(g * capacity_ + slot, K.row(r).data() + g * d_k_);
      values_.write(g * capacity_ + slot, V.row(r).data() + g * d_v_);
    }
    ++appended_;
  }
  OperationMeter::add({.bytes_read = internal::wide(K.size() + V.size()) * sizeof(T),
                       .bytes_written = kv_cache_bytes(K.rows(), kv_heads_, d_k_, d_v_,
                                                       options_.storage, sizeof(T))});
}

template <typename T>
void KvCache<T>::require_queries(In<T> Q, Index heads, const std::optional<double>& scale,
                                 Index appended) const {
  const Index r = Q.rows();
  if (heads < 1 || heads % kv_heads_ != 0) {
    throw ValueError("heads", phrase::heads_for_kv_heads(heads, kv_heads_),
                     phrase::multiple(kv_heads_));
  }
  require_shape<T>("Q", Q, r, heads * d_k_, phrase::heads_dk_columns);
  require_finite<T>("Q", Q);
  attention_scale(scale, d_k_);
  const Index size = std::min(appended, capacity_);
  if (r < 1 || r > appended || (!is_ring() && r > size)) {
    throw ShapeError("Q", phrase::shape(r, Q.cols()), phrase::rows_up_to_kept(size));
  }
  if (is_ring() && std::min(appended, *options_.window + r - 1) > size) {
    throw CapacityError("Q", phrase::queries_look_back(r, *options_.window + r - 1),
                        phrase::ring_still_has(size));
  }
}

template <typename T>
auto KvCache<T>::newest(const Rows& rows, Index kv_head, Index count, Matrix<T>& scratch) const
    -> Eigen::Map<const Matrix<T>> {
  const Index base = kv_head * capacity_;
  const Index slot = (appended_ - count) % capacity_;
  const Index before_end = std::min(count, capacity_ - slot);
  if (rows.storage == KvStorage::kExact && before_end == count) {
    return {rows.exact.data() + (base + slot) * rows.width, count, rows.width};
  }
  scratch.resize(count, rows.width);
  rows.read(base + slot, scratch.topRows(before_end));
  rows.read(base, scratch.bottomRows(count - before_end));
  OperationMeter::add(
      {.bytes_read = internal::wide(count) *
                     static_cast<std::uint64_t>(row_bytes(rows.width, rows.storage, sizeof(T))),
       .bytes_written = internal::wide(scratch.size()) * sizeof(T)});
  return {scratch.data(), count, rows.width};
}

template <typename T>
KvAttention<T> KvCache<T>::attend(In<T> Q, Index heads, std::optional<double> scale) const {
  require_queries(Q, heads, scale, appended_);
  const Index r = Q.rows();
  KeyWindow window;
  window.right = 0;
  Index seen = size();
  if (is_ring()) {
    window.left = *options_.window - 1;
    seen = std::min(seen, *options_.window + r - 1);
  }
  AttentionOptions<T> each;
  each.mask = window_mask(r, seen, window);
  each.scale = attention_scale(scale, d_k_);

  Matrix<T> k_scratch, v_scratch;
  KvAttention<T> result = internal::attend_cached<T>(
      Q, heads, kv_heads_, d_k_, d_v_, each,
      [&](Index g) { return newest(keys_, g, seen, k_scratch); },
      [&](Index g) { return newest(values_, g, seen, v_scratch); });
  result.first_position = appended_ - seen;
  return result;
}

template <typename T>
KvAttention<T> KvCache<T>::decode(In<T> Q, In<T> K, In<T> V, Index heads,
                                  std::optional<double> scale) {
  require_tokens(K, V);
  require_queries(Q, heads, scale, appended_ + K.rows());
  // The product of finite queries and keys can overflow, which only `attend` detects. Until then,
  // the rows that a ring overwrites are kept in the storage's own bits.
  const Index before = appended_, written = std::min(K.rows(), capacity_);
  const Index first = std::min(written, std::max<Index>(capacity_ - before, 0));
  const Index overwritten = written - first;
  const auto slot = [&](Index t) { return (before % capacity_ + first + t) % capacity_; };
  Rows old_keys, old_values;
  old_keys.allocate(overwritten * kv_heads_, d_k_, options_.storage);
  old_values.allocate(overwritten * kv_heads_, d_v_, options_.storage);
  for (Index g = 0; g < kv_heads_; ++g) {
    for (Index t = 0; t < overwritten; ++t) {
      old_keys.copy(g * overwritten + t, keys_, g * capacity_ + slot(t));
      old_values.copy(g * overwritten + t, values_, g * capacity_ + slot(t));
    }
  }
  if (overwritten > 0) {
    const std::uint64_t bytes =
        kv_cache_bytes(overwritten, kv_heads_, d_k_, d_v_, options_.storage, sizeof(T));
    OperationMeter::add({.bytes_read = bytes, .bytes_written = bytes});
  }
  try {
    append(K, V);
    return attend(Q, heads, scale);
  } catch (...) {
    for (Index g = 0; g < kv_heads_; ++g) {
      for (Index t = 0; t < overwritten; ++t) {
        keys_.copy(g * capacity_ + slot(t), old_keys, g * overwritten + t);
        values_.copy(g * capacity_ + slot(t), old_values, g * overwritten + t);
      }
    }
    appended_ = before;
    throw;
  }
}

template <typename T>
std::uint64_t KvCache<T>::bytes() const {
  return kv_cache_bytes(size(), kv_heads_, d_k_, d_v_, options_.storage, sizeof(T));
}

template <typename T>
std::uint64_t KvCache<T>::capacity_bytes() const {
  return kv_cache_bytes(capacity_, kv_heads_, d_k_, d_v_, options_.storage, sizeof(T));
}

template <typename T>
void KvCache<T>::require_kv_head(Index kv_head) const {
  if (kv_head >= 0 && kv_head < kv_heads_) return;
  throw ValueError("kv_head", phrase::number(kv_head), phrase::range(0, kv_heads_ - 1));
}

template <typename T>
Matrix<T> KvCache<T>::keys(Index kv_head) const {
  require_kv_head(kv_head);
  Matrix<T> scratch;
  return newest(keys_, kv_head, size(), scratch);
}

template <typename T>
Matrix<T> KvCache<T>::values(Index kv_head) const {
  require_kv_head(kv_head);
  Matrix<T> scratch;
  return newest(values_, kv_head, size(), scratch);
}

template class KvCache<float>;
template class KvCache<double>;

}  // namespace attn
