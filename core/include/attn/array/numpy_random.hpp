#pragma once
// NumPy's random numbers: the same streams from the same seeds as NumPy 1.24, so that a course text
// that prints what seed 42 gives prints it here.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "attn/array/array.hpp"

namespace attn::array {

/// What both generators offer. Shapes are sizes; an empty one makes an array of rank 0.
class Random {
 public:
  virtual ~Random() = default;

  /// Uniform in [0, 1).
  Array random(const Shape& shape);
  Array standard_normal(const Shape& shape);
  Array normal(double mean, double deviation, const Shape& shape);
  Array uniform(double low, double high, const Shape& shape);
  Array exponential(double scale, const Shape& shape);
  /// low <= i < high.
  Array integers(std::int64_t low, std::int64_t high, const Shape& shape);
  /// 0 … n - 1 in another order, and the rows of x in another order.
  Array permutation(Index n);
  Array permutation(const Array& x);
  /// Rows of x change places.
  void shuffle(const Array& x);
  /// Indices below n, each as likely or as `p` says.
  Array choice(Index n, const Shape& shape, bool replace = true,
               const std::optional<Array>& p = {});

 protected:
  virtual std::uint32_t next_uint32() = 0;
  virtual std::uint64_t next_uint64() = 0;
  virtual double next_double() = 0;
  virtual double next_normal() = 0;
  virtual double next_exponential() = 0;
  /// 0 <= i <= max, as `integers` draws.
  virtual std::uint64_t bounded(std::uint64_t max) = 0;
  /// The same, as a shuffle draws.
  std::uint64_t masked(std::uint64_t max);
  virtual Array choose_without_replacement(Index n, Index count) = 0;
  void shuffle_indices(std::int64_t* at, Index count);

 private:
  Array choose_by_weight(const std::optional<Array>& p, Index n, Index count, bool replace);
};

/// `np.random.seed(seed)` and what follows: MT19937, normals by the polar method.
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

/// `np.random.default_rng(seed)`: PCG64, normals by the ziggurat.
class Generator : public Random {
 public:
  explicit Generator(std::uint64_t seed = 0);
  /// A list of seeds; each takes as many 32-bit words as it needs.
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
