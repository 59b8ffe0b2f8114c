#pragma once
// NumPy's random numbers: the same seeds give the same streams as in NumPy 1.24, so that numbers
// printed in a course text for seed 42 are the same here.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "attn/array/array.hpp"

namespace attn::array {

/// The functions that both generators have. Shapes are sizes; an empty one gives an array of rank
/// 0.
class Random {
 public:
  virtual ~Random() = default;

  /// Uniform in [0, 1).
  Array random(const Shape& shape);
  Array standard_normal(const Shape& shape);
  Array normal(double mean, double deviation, const Shape& shape);
  Array uniform(double low, double high, const Shape& shape);
  Array exponential(double scale, const Shape& shape);
  /// Integers with low <= i < high.
  Array integers(std::int64_t low, std::int64_t high, const Shape& shape);
  /// Integers with low <= i <= last; `last` may be the largest int64.
  Array integers_through(std::int64_t low, std::int64_t last, const Shape& shape);
  /// A random order of 0 … n - 1, and a copy of x with its rows in random order.
  Array permutation(Index n);
  Array permutation(const Array& x);
  /// Puts the rows of x in random order, in place.
  void shuffle(const Array& x);
  /// Indices below n, drawn with equal probabilities or with those of `p`.
  Array choice(Index n, const Shape& shape, bool replace = true,
               const std::optional<Array>& p = {});

 protected:
  virtual std::uint32_t next_uint32() = 0;
  virtual std::uint64_t next_uint64() = 0;
  virtual double next_double() = 0;
  virtual double next_normal() = 0;
  virtual double next_exponential() = 0;
  /// A number with 0 <= i <= max, drawn as `integers` draws.
  virtual std::uint64_t bounded(std::uint64_t max) = 0;
  /// A number with 0 <= i <= max, drawn as a shuffle draws.
  std::uint64_t masked(std::uint64_t max);
  virtual Array choose_without_replacement(Index n, Index count) = 0;
  void shuffle_indices(std::int64_t* at, Index count);

 private:
  Array choose_by_weight(const std::optional<Array>& p, Index n, Index count, bool replace);
};

/// The generator behind `np.random.seed(seed)`: MT19937, with normals by the polar method.
class RandomState : public Random {
 public:
  explicit RandomState(std::uint32_t value = 0) { seed(value); }
  explicit RandomState(const std::vector<std::uint32_t>& words) { seed(words); }
  void seed(std::uint32_t value);
  void seed(const std::vector<std::uint32_t>& words);
  /// `np.random.randn(3, 4)`: randn({3, 4}).
  Array randn(const Shape& shape) { return standard_normal(shape); }
  Array rand(const Shape& shape) { return random(shape); }
  Array randint(std::int64_t low, std::int64_t high, const Shape& shape) {
    return integers(low, high, shape);
  }

 protected:
  std::uint32_t next_uint32() override;
  std::uint64_t next_uint64() override;
  double next_double() override;
  double next_normal() override;
  double next_exponential() override;
  std::uint64_t bounded(std::uint64_t max) override { return masked(max); }
  Array choose_without_replacement(Index n, Index count) override;

 private:
  void refill();

  static constexpr int kWords = 624;
  std::uint32_t state_[kWords];
  int position_ = kWords;
  std::optional<double> waiting_;
};

/// The generator of `np.random.default_rng(seed)`: PCG64, with normals by the ziggurat method.
class Generator : public Random {
 public:
  explicit Generator(std::uint64_t seed = 0);
  /// Seeds from a list; each number takes as many 32-bit words as it needs.
  explicit Generator(const std::vector<std::uint64_t>& seeds);

 protected:
  std::uint32_t next_uint32() override;
  std::uint64_t next_uint64() override;
  double next_double() override;
  double next_normal() override;
  double next_exponential() override;
  std::uint64_t bounded(std::uint64_t max) override;
  Array choose_without_replacement(Index n, Index count) override;

 private:
  void step();

  // 128 bits, high word first.
  std::uint64_t state_[2], increment_[2];
  std::optional<std::uint32_t> waiting_;
};

}  // namespace attn::array
