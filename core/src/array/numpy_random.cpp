#include "attn/array/numpy_random.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "internal.hpp"

namespace attn::array {
namespace {

#include "ziggurat.inc"
// The place where the tail of the normal ziggurat begins, its reciprocal, and the place where the
// tail of the exponential one begins.
constexpr double kTail = 3.6541528853610087963519472518;
constexpr double kOverTail = 0.27366123732975827203338247596;
constexpr double kExponentialTail = 7.69711747013104972;

double from_bits(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// A mask with all bits set up to the highest bit of `max`.
std::uint64_t mask_of(std::uint64_t max) {
  for (int shift = 1; shift < 64; shift *= 2) max |= max >> shift;
  return max;
}

template <typename F>
Array draw(const Shape& shape, F&& next) {
  Array out = Array::allocate(shape, Dtype::kFloat64);
  std::generate_n(entries<double>(out), out.size(), next);
  note_touched(out.size());
  return out;
}

}  // namespace

// ---- What both offer --------------------------------------------------------------------------

Array Random::random(const Shape& shape) {
  return draw(shape, [this] { return next_double(); });
}

Array Random::standard_normal(const Shape& shape) {
  return draw(shape, [this] { return next_normal(); });
}

Array Random::normal(double mean, double deviation, const Shape& shape) {
  if (deviation < 0 || std::signbit(deviation)) throw ValueError("scale < 0");
  return draw(shape, [&] { return mean + deviation * next_normal(); });
}

Array Random::uniform(double low, double high, const Shape& shape) {
  const double range = high - low;
  if (!std::isfinite(range)) {
    throw ArrayError("OverflowError", "Range exceeds valid bounds");
  }
  return draw(shape, [&] { return low + range * next_double(); });
}

Array Random::exponential(double scale, const Shape& shape) {
  if (scale < 0 || std::signbit(scale)) throw ValueError("scale < 0");
  return draw(shape, [&] { return scale * next_exponential(); });
}

Array Random::integers(std::int64_t low, std::int64_t high, const Shape& shape) {
  if (low >= high) throw ValueError("low >= high");
  return integers_through(low, high - 1, shape);
}

Array Random::integers_through(std::int64_t low, std::int64_t last, const Shape& shape) {
  if (low > last) throw ValueError("low >= high");
  const std::uint64_t range = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(low);
  Array out = Array::allocate(shape, Dtype::kInt64);
  std::generate_n(entries<std::int64_t>(out), out.size(), [&] {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + bounded(range));
  });
  note_touched(out.size());
  return out;
}

std::uint64_t Random::masked(std::uint64_t max) {
  if (max == 0) return 0;
  const std::uint64_t mask = mask_of(max);
  for (;;) {
    const std::uint64_t value = max <= 0xffffffffu ? next_uint32() & mask : next_uint64() & mask;
    if (value <= max) return value;
  }
}

void Random::shuffle_indices(std::int64_t* at, Index count) {
  for (Index i = count - 1; i >= 1; --i) {
    std::swap(at[i], at[static_cast<Index>(masked(static_cast<std::uint64_t>(i)))]);
  }
}

Array Random::permutation(Index n) {
  if (n < 0) n = 0;
  Array order = arange(n);
  shuffle_indices(entries<std::int64_t>(order), n);
  note_touched(2 * n);
  return order;
}

Array Random::permutation(const Array& x) {
  if (x.rank() == 0) throw IndexError("x must be an integer or at least 1-dimensional");
  return index(x, permutation(x.shape()[0]));
}

void Random::shuffle(const Array& x) {
  if (x.rank() == 0) throw TypeError("shuffle needs an array of at least one dimension");
  check_writeable(x, "array is read-only");
  const Index n = x.shape()[0];
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  if (x.size() > 0) shuffle_indices(order.data(), n);
  const Array copy = x.copy();
  for (Index i = 0; i < n; ++i) {
    copy_into(x.take_at(0, i),
              copy.take_at(0, static_cast<Index>(order[static_cast<std::size_t>(i)])));
  }
  note_touched(x.size());
}

Array Random::choose_by_weight(const std::optional<Array>& p, Index n, Index count, bool replace) {
  const auto cdf_of = [](const Array& weights) {
    const Array sums = cumsum(weights);
    return sums / sums.take_at(0, -1);
  };
  if (p->rank() != 1) throw ValueError("'p' must be 1-dimensional");
  if (p->size() != n) throw ValueError("'a' and 'p' must have same size");
  Array weights = p->astype(Dtype::kFloat64);
  Index possible = 0;
  double total = 0;
  for (const double weight : weights.values()) {
    if (std::isnan(weight)) throw ValueError("probabilities contain NaN");
    if (weight < 0) throw ValueError("probabilities are not non-negative");
    if (weight > 0) ++possible;
    total += weight;
  }
  if (std::abs(total - 1) > 1.5e-8) throw ValueError("probabilities do not sum to 1");
  if (replace) return searchsorted(cdf_of(weights), random({count}), true);
  if (possible < count) throw ValueError("Fewer non-zero entries in p than size");
  // As many numbers as are missing are drawn. A number drawn twice counts once, and its probability
  // is then 0.
  std::vector<Index> found;
  while (static_cast<Index>(found.size()) < count) {
    const Array draws = random({count - static_cast<Index>(found.size())});
    for (const Index i : found) *(entries<double>(weights) + i) = 0;
    for (const double drawn : searchsorted(cdf_of(weights), draws, true).values()) {
      const auto i = static_cast<Index>(drawn);
      if (std::find(found.begin(), found.end(), i) == found.end()) found.push_back(i);
    }
  }
  const Array out = Array::allocate({count}, Dtype::kInt64);
  std::copy(found.begin(), found.end(), entries<std::int64_t>(out));
  return out;
}

Array Random::choice(Index n, const Shape& shape, bool replace, const std::optional<Array>& p) {
  const Index count = checked_size(shape, Dtype::kInt64);
  if (n <= 0 && count > 0) {
    throw ValueError("a must be greater than 0 unless no samples are taken");
  }
  if (!replace && count > n) {
    throw ValueError("Cannot take a larger sample than population when 'replace=False'");
  }
  if (p) return choose_by_weight(p, n, count, replace).reshape(shape);
  if (replace) return integers(0, std::max<Index>(n, 1), shape);
  return choose_without_replacement(n, count).reshape(shape);
}

// ---- MT19937 ----------------------------------------------------------------------------------

void RandomState::seed(std::uint32_t value) {
  for (int i = 0; i < kWords; ++i) {
    state_[i] = value;
    value = 1812433253u * (value ^ (value >> 30)) + static_cast<std::uint32_t>(i) + 1;
  }
  position_ = kWords;
  waiting_.reset();
}

void RandomState::seed(const std::vector<std::uint32_t>& words) {
  if (words.empty()) throw ValueError("Seed must be non-empty");
  seed(19650218u);
  const auto mixed = [&](int i, std::uint32_t factor) {
    return state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * factor);
  };
  int i = 1;
  const auto advance = [&] {
    if (++i >= kWords) {
      state_[0] = state_[kWords - 1];
      i = 1;
    }
  };
  const std::size_t length = words.size();
  std::size_t j = 0;
  for (std::size_t k = std::max<std::size_t>(kWords, length); k > 0; --k) {
    state_[i] = mixed(i, 1664525u) + words[j] + static_cast<std::uint32_t>(j);
    advance();
    if (++j >= length) j = 0;
  }
  for (int k = kWords - 1; k > 0; --k) {
    state_[i] = mixed(i, 1566083941u) - static_cast<std::uint32_t>(i);
    advance();
  }
  state_[0] = 0x80000000u;
}

void RandomState::refill() {
  constexpr int kShift = 397;
  for (int i = 0; i < kWords; ++i) {
    const std::uint32_t y = (state_[i] & 0x80000000u) | (state_[(i + 1) % kWords] & 0x7fffffffu);
    state_[i] = state_[(i + kShift) % kWords] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
  }
  position_ = 0;
}

std::uint32_t RandomState::next_uint32() {
  if (position_ == kWords) refill();
  std::uint32_t y = state_[position_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

std::uint64_t RandomState::next_uint64() {
  const std::uint64_t high = next_uint32();
  return high << 32 | next_uint32();
}

double RandomState::next_double() {
  const std::uint32_t high = next_uint32() >> 5, low = next_uint32() >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

double RandomState::next_normal() {
  if (waiting_) {
    const double value = *waiting_;
    waiting_.reset();
    return value;
  }
  for (;;) {
    const double x = 2 * next_double() - 1;
    const double y = 2 * next_double() - 1;
    const double square = x * x + y * y;
    if (square >= 1 || square == 0) continue;
    const double factor = std::sqrt(-2 * std::log(square) / square);
    waiting_ = factor * x;
    return factor * y;
  }
}

double RandomState::next_exponential() { return -std::log(1 - next_double()); }

Array RandomState::choose_without_replacement(Index n, Index count) {
  return permutation(n).slice(0, 0, count).copy();
}

// ---- PCG64 ------------------------------------------------------------------------------------

namespace {

using Wide = unsigned __int128;

Wide wide(const std::uint64_t* words) { return static_cast<Wide>(words[0]) << 64 | words[1]; }

void store(std::uint64_t* words, Wide value) {
  words[0] = static_cast<std::uint64_t>(value >> 64);
  words[1] = static_cast<std::uint64_t>(value);
}

/// NumPy's SeedSequence: turns any seed into four well-mixed words, and those into as many words as
/// needed.
class SeedSequence {
 public:
  explicit SeedSequence(const std::vector<std::uint32_t>& entropy) {
    std::uint32_t constant = 0x43b0d7e5u;
    const auto hashed = [&](std::uint32_t value) {
      value ^= constant;
      constant *= 0x931e8875u;
      value *= constant;
      return value ^ (value >> 16);
    };
    const auto mix = [](std::uint32_t x, std::uint32_t y) {
      const std::uint32_t value = 0xca01f9ddu * x - 0x4973f715u * y;
      return value ^ (value >> 16);
    };
    for (std::size_t i = 0; i < 4; ++i) pool_[i] = hashed(i < entropy.size() ? entropy[i] : 0);
    for (std::size_t from = 0; from < 4; ++from) {
      for (std::size_t to = 0; to < 4; ++to) {
        if (from != to) pool_[to] = mix(pool_[to], hashed(pool_[from]));
      }
    }
    for (std::size_t from = 4; from < entropy.size(); ++from) {
      for (std::uint32_t& word : pool_) word = mix(word, hashed(entropy[from]));
    }
  }

  void generate(std::uint64_t (&words)[4]) const {
    std::uint32_t constant = 0x8b51f9ddu;
    for (std::size_t i = 0; i < 8; ++i) {
      std::uint32_t value = pool_[i % 4] ^ constant;
      constant *= 0x58f38dedu;
      value *= constant;
      value ^= value >> 16;
      // The low half comes first.
      words[i / 2] = i % 2 == 0 ? value : words[i / 2] | static_cast<std::uint64_t>(value) << 32;
    }
  }

 private:
  std::uint32_t pool_[4];
};

}  // namespace

Generator::Generator(std::uint64_t seed) : Generator(std::vector<std::uint64_t>{seed}) {}

Generator::Generator(const std::vector<std::uint64_t>& seeds) {
  std::vector<std::uint32_t> entropy;
  for (const std::uint64_t seed : seeds) {
    entropy.push_back(static_cast<std::uint32_t>(seed));
    if (seed >> 32) entropy.push_back(static_cast<std::uint32_t>(seed >> 32));
  }
  std::uint64_t words[4];
  SeedSequence(entropy).generate(words);
  store(increment_, wide(words + 2) << 1 | 1);
  store(state_, 0);
  step();
  store(state_, wide(state_) + wide(words));
  step();
}

void Generator::step() {
  constexpr std::uint64_t kFactor[] = {0x2360ed051fc65da4u, 0x4385df649fccf645u};
  store(state_, wide(state_) * wide(kFactor) + wide(increment_));
}

std::uint64_t Generator::next_uint64() {
  step();
  const std::uint64_t folded = state_[0] ^ state_[1];
  const auto turn = static_cast<int>(state_[0] >> 58);
  return folded >> turn | folded << (-turn & 63);
}

std::uint32_t Generator::next_uint32() {
  if (waiting_) {
    const std::uint32_t value = *waiting_;
    waiting_.reset();
    return value;
  }
  const std::uint64_t both = next_uint64();
  waiting_ = static_cast<std::uint32_t>(both >> 32);
  return static_cast<std::uint32_t>(both);
}

double Generator::next_double() {
  return static_cast<double>(next_uint64() >> 11) / 9007199254740992.0;
}

double Generator::next_normal() {
  for (;;) {
    std::uint64_t bits = next_uint64();
    const std::size_t layer = bits & 0xff;
    bits >>= 8;
    const bool negative = bits & 1;
    const std::uint64_t size = bits >> 1 & 0x000fffffffffffffu;
    const double width = static_cast<double>(size) * from_bits(kWidths[layer]);
    const double x = negative ? -width : width;
    if (size < kBounds[layer]) return x;
    if (layer > 0) {
      const double above = from_bits(kHeights[layer - 1]), here = from_bits(kHeights[layer]);
      if ((above - here) * next_double() + here < std::exp(-0.5 * x * x)) return x;
      continue;
    }
    for (;;) {
      const double beyond = -kOverTail * std::log1p(-next_double());
      const double y = -std::log1p(-next_double());
      if (y + y > beyond * beyond) {
        return size >> 8 & 1 ? -(kTail + beyond) : kTail + beyond;
      }
    }
  }
}

double Generator::next_exponential() {
  for (;;) {
    std::uint64_t bits = next_uint64() >> 3;
    const std::size_t layer = bits & 0xff;
    bits >>= 8;
    const double x = static_cast<double>(bits) * from_bits(kExponentialWidths[layer]);
    if (bits < kExponentialBounds[layer]) return x;
    if (layer == 0) return kExponentialTail - std::log1p(-next_double());
    const double above = from_bits(kExponentialHeights[layer - 1]);
    const double here = from_bits(kExponentialHeights[layer]);
    if ((above - here) * next_double() + here < std::exp(-x)) return x;
  }
}

std::uint64_t Generator::bounded(std::uint64_t max) {
  // Lemire's method takes the high half of a product and repeats the few draws that would be
  // biased.
  if (max == 0) return 0;
  if (max <= 0xffffffffu) {
    if (max == 0xffffffffu) return next_uint32();
    const auto count = static_cast<std::uint32_t>(max + 1);
    std::uint64_t product = static_cast<std::uint64_t>(next_uint32()) * count;
    if (static_cast<std::uint32_t>(product) < count) {
      const std::uint32_t unfair = (0xffffffffu - static_cast<std::uint32_t>(max)) % count;
      while (static_cast<std::uint32_t>(product) < unfair) {
        product = static_cast<std::uint64_t>(next_uint32()) * count;
      }
    }
    return product >> 32;
  }
  const std::uint64_t count = max + 1;
  if (count == 0) return next_uint64();
  Wide product = static_cast<Wide>(next_uint64()) * count;
  if (static_cast<std::uint64_t>(product) < count) {
    const std::uint64_t unfair = (UINT64_MAX - max) % count;
    while (static_cast<std::uint64_t>(product) < unfair) {
      product = static_cast<Wide>(next_uint64()) * count;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

Array Generator::choose_without_replacement(Index n, Index count) {
  // This tail is drawn differently than in a shuffle.
  const auto shuffle_tail = [this](const Array& x, Index first) {
    std::int64_t* const at = entries<std::int64_t>(x);
    for (Index i = x.size() - 1; i >= first; --i) {
      std::swap(at[i], at[static_cast<Index>(bounded(static_cast<std::uint64_t>(i)))]);
    }
  };
  if (n > 10000 && count > n / 50) {
    Array order = arange(n);
    shuffle_tail(order, std::max<Index>(n - count, 1));
    return order.slice(0, n - count, {}).copy();
  }
  // Floyd's method: one draw for each index; a number that was drawn before is replaced by the
  // largest possible one.
  Array out = Array::allocate({count}, Dtype::kInt64);
  std::vector<std::int64_t> seen;
  std::int64_t* to = entries<std::int64_t>(out);
  for (Index last = n - count; last < n; ++last) {
    auto value = static_cast<std::int64_t>(bounded(static_cast<std::uint64_t>(last)));
    const auto at = std::lower_bound(seen.begin(), seen.end(), value);
    if (at != seen.end() && *at == value) {
      value = last;
      seen.push_back(value);
    } else {
      seen.insert(at, value);
    }
    *to++ = value;
  }
  shuffle_tail(out, 1);
  note_touched(2 * count);
  return out;
}

}  // namespace attn::array
