#include "attn/array/numpy_random.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "test_util.hpp"

namespace {

using namespace attn::array;

struct Expected {
  std::vector<std::uint32_t> seed;
  bool list;
  std::vector<double> values;
};
#include "numpy_random_data.inc"

/// Makes the calls of numpy_random_data.py, in the same order.
std::vector<double> script(Random& r) {
  std::vector<double> all;
  const auto say = [&](const Array& part) {
    const std::vector<double> values = part.values();
    all.insert(all.end(), values.begin(), values.end());
  };
  const Array p = array({0.1, 0.0, 0.35, 0.05, 0.5});
  const Array rows = arange(0, 10).reshape({5, 2}), list = arange(6);
  say(r.random({3}));
  say(r.standard_normal({3}));
  say(r.normal(2, 3, {2, 2}));
  say(r.uniform(-1, 2, {3}));
  say(r.integers(0, 10, {5}));
  say(r.integers(-5, 1'000'000, {3}));
  say(r.integers(0, std::int64_t{1} << 40, {2}));
  say(r.integers(0, std::int64_t{1} << 32, {2}));
  say(r.integers(3, 4, {2}));
  say(r.permutation(7));
  say(r.permutation(arange(6).reshape({3, 2})));
  r.shuffle(list);
  say(list);
  r.shuffle(rows);
  say(rows);
  say(r.choice(10, {4}));
  say(r.choice(10, {2, 2}, false));
  say(r.choice(5, {4}, true, p));
  say(r.choice(5, {3}, false, p));
  say(r.choice(20000, {500}, false).slice(0, -2, {}));
  say(r.choice(20000, {300}, false).slice(0, -2, {}));
  say(r.standard_normal({3001}).slice(0, -2, {}));
  say(r.random({1}));
  return all;
}

std::vector<double> legacy(RandomState r) {
  std::vector<double> all = script(r);
  for (const double value : r.exponential(2, {2}).values()) all.push_back(value);
  return all;
}

std::vector<double> modern(const std::vector<std::uint32_t>& seed) {
  Generator r(std::vector<std::uint64_t>(seed.begin(), seed.end()));
  std::vector<double> all = script(r);
  for (const Array& drawn : {r.exponential(2, {600}).slice(0, -2, {}), r.random({1})}) {
    const std::vector<double> values = drawn.values();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

/// Checks that values are equal except for the last bits, which depend on the C library's
/// logarithm.
void check_equal(const std::vector<double>& actual, const std::vector<double>& expected) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    CAPTURE(i);
    CHECK(actual[i] == doctest::Approx(expected[i]).epsilon(1e-14));
  }
}

double checksum(const std::vector<double>& values) {
  double total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    total += std::fmod(values[i], 1000003) * static_cast<double>(1 + i % 7);
  }
  return total;
}

std::string message_of(Random& r, void (*call)(Random&)) {
  try {
    call(r);
  } catch (const ArrayError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE_BEGIN("numpy_random");

TEST_CASE("RandomState gives NumPy's numbers, call after call") {
  for (const Expected& expected : legacy_expected) {
    CAPTURE(expected.seed.front());
    check_equal(
        legacy(expected.list ? RandomState(expected.seed) : RandomState(expected.seed.front())),
        expected.values);
  }
}

TEST_CASE("default_rng gives NumPy's numbers, call after call") {
  for (const Expected& expected : modern_expected) {
    CAPTURE(expected.seed.front());
    check_equal(modern(expected.seed), expected.values);
  }
}

TEST_CASE("both give NumPy's numbers for two hundred seeds") {
  for (std::uint32_t seed = 1; seed <= legacy_checksums.size(); ++seed) {
    CAPTURE(seed);
    CHECK(checksum(legacy(RandomState(seed))) ==
          doctest::Approx(legacy_checksums[seed - 1]).epsilon(1e-12));
    CHECK(checksum(modern({seed})) == doctest::Approx(modern_checksums[seed - 1]).epsilon(1e-12));
  }
}

TEST_CASE("a seed restarts the stream, and drops the second normal of a pair") {
  RandomState r(42);
  const double first = r.randn({}).item();
  r.seed(42);
  CHECK(r.randn({}).item() == first);
  CHECK(first == doctest::Approx(0.4967141530112327).epsilon(1e-15));
}

TEST_CASE("integers reach to both ends of 64 bits") {
  constexpr std::int64_t kLeast = INT64_MIN, kMost = INT64_MAX;
  RandomState legacy_state(1);
  Generator generator(1);
  for (Random* r : {static_cast<Random*>(&legacy_state), static_cast<Random*>(&generator)}) {
    CHECK(r->integers_through(kMost, kMost, {}).integers().front() == kMost);
    CHECK(r->integers_through(kLeast, kLeast, {}).integers().front() == kLeast);
    const Array wide = r->integers_through(kLeast, kMost, {200});
    CHECK(min(wide).item() < -4e18);
    CHECK(max(wide).item() > 4e18);
  }
}

TEST_CASE("arguments that make no sense are refused in NumPy's words") {
  RandomState legacy_state(1);
  Generator generator(1);
  for (Random* r : {static_cast<Random*>(&legacy_state), static_cast<Random*>(&generator)}) {
    CHECK(message_of(*r, [](Random& g) { g.integers(3, 3, {2}); }) == "low >= high");
    CHECK(message_of(*r, [](Random& g) { g.normal(0, -1, {2}); }) == "scale < 0");
    CHECK(message_of(*r, [](Random& g) { g.choice(3, {4}, false); }) ==
          "Cannot take a larger sample than population when 'replace=False'");
    CHECK(message_of(*r, [](Random& g) {
            g.choice(2, {4}, true, array({0.5, 0.6}));
          }) == "probabilities do not sum to 1");
    CHECK(message_of(*r, [](Random& g) {
            g.choice(3, {4}, true, array({0.5, 0.5}));
          }) == "'a' and 'p' must have same size");
  }
}

TEST_SUITE_END();
