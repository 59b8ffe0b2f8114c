#include "attn/analysis/text_reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attn/analysis/phrases.hpp"
#include "attn/base/errors.hpp"
#include "attn/cost/complexity.hpp"

namespace attn {

template <typename T>
TextReader<T>::TextReader(ReadingMechanism mechanism, std::vector<std::string> sections,
                          const std::optional<FeatureMap<T>>& map, TextReaderOptions options)
    : text_(std::move(sections), options.d_k, options.d_v, options.seed),
      capacity_(text_.tokens()) {
  if (mechanism == ReadingMechanism::kLinear) {
    decoder_.emplace(map ? *map : FeatureMap<T>("elu_plus_one", options.d_k), options.d_v);
    return;
  }
  const std::uint64_t each =
      kv_cache_bytes(1, 1, options.d_k, options.d_v, KvStorage::kExact, sizeof(T));
  const std::uint64_t most =
      std::min<std::uint64_t>(options.cache_bytes.value_or(kMaxKvCacheBytes), kMaxKvCacheBytes);
  if (most < each) {
    throw ValueError("cache_bytes", phrase::number(static_cast<Index>(most)),
                     phrase::at_least(static_cast<Index>(each)));
  }
  capacity_ = std::min(capacity_, static_cast<Index>(most / each));
  cache_.emplace(capacity_, 1, options.d_k, options.d_v);
}

template <typename T>
void TextReader<T>::read(Index count) {
  if (count < 0) throw ValueError("tokens", phrase::number(count), phrase::at_least(0));
  const Index end = position_ + std::min(count, capacity_ - position_);
  while (position_ < end) {
    const Index next = std::min(end, position_ + kBlock);
    const Qkv<T> x = text_.rows(position_, next);
    const Matrix<T> output =
        cache_ ? cache_->decode(x.Q, x.K, x.V, 1).output : decoder_->decode(x.Q, x.K, x.V);
    largest_ = std::max(largest_, static_cast<double>(output.cwiseAbs().maxCoeff()));
    position_ = next;
  }
}

template <typename T>
std::uint64_t TextReader<T>::multiply_adds_until(Index position) const {
  const auto n = static_cast<std::uint64_t>(position);
  const auto d_k = static_cast<std::uint64_t>(text_.d_k());
  const auto d_v = static_cast<std::uint64_t>(text_.d_v());
  const std::uint64_t inputs = n * d_k * (2 * d_k + d_v);
  if (cache_) return inputs + n * (n + 1) / 2 * (d_k + d_v);
  const auto D = static_cast<std::uint64_t>(decoder_->feature_dimension());
  return inputs + linear_multiply_adds(n, n, D, d_v, true);
}

template <typename T>
ReadingProgress TextReader<T>::progress() const {
  ReadingProgress now;
  now.position = position_;
  now.tokens = text_.tokens();
  now.section = text_.section_of(std::max<Index>(position_ - 1, 0));
  now.capacity = capacity_;
  now.bytes = cache_ ? cache_->bytes() : decoder_->bytes();
  now.multiply_adds = multiply_adds_until(position_);
  now.multiply_adds_left = multiply_adds_until(capacity_) - now.multiply_adds;
  now.largest = largest_;
  return now;
}

template <typename T>
std::string TextReader<T>::words(Index count) const {
  if (count < 0) throw ValueError("count", phrase::number(count), phrase::at_least(0));
  return text_.words(position_ - std::min(count, position_), position_);
}

template <typename T>
Reading<T>::Reading(TextReader<T>& reader, Index tokens) : reader_(&reader) {
  if (tokens < 1) throw ValueError("tokens", phrase::number(tokens), phrase::at_least(1));
  const ReadingProgress now = reader.progress();
  tokens_ = std::min(tokens, now.capacity - now.position);
}

template <typename T>
bool Reading<T>::step(Index amount) {
  const Index count = std::min(amount, tokens_ - done_);
  reader_->read(count);
  done_ += count;
  return done_ == tokens_;
}

template <typename T>
double Reading<T>::progress() const {
  return tokens_ > 0 ? static_cast<double>(done_) / static_cast<double>(tokens_) : 1;
}

#define ATTN_INSTANTIATE(T)     \
  template class TextReader<T>; \
  template class Reading<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
