#include "attn/cost/complexity.hpp"

#include <algorithm>
#include <limits>

#include "allocation_watch.hpp"
#include "attn/attention/flash_attention.hpp"
#include "attn/attention/pattern.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("complexity");

namespace {

bool reads(const MechanismInfo& info, std::string_view name) {
  return std::any_of(info.parameters.begin(), info.parameters.end(),
                     [&](const MechanismParameter& p) { return p.name == name; });
}

/// Seeded sizes that the mechanism accepts.
CostShape drawn(const MechanismInfo& info, std::uint64_t seed) {
  Rng rng(seed, 9);
  const auto draw = [&](std::uint64_t least, std::uint64_t most) {
    return least + rng.below(most - least + 1);
  };
  CostShape shape;
  shape.n = draw(1, 24);
  shape.d_k = draw(1, 9);
  shape.d_v = draw(1, 9);
  shape.window = draw(1, 12);
  shape.block = draw(1, 9);
  shape.summary = draw(0, shape.block);
  shape.k = draw(1, 9);
  shape.chunk = draw(1, 12);
  shape.query_tile = draw(1, 12);
  shape.key_tile = draw(1, 12);
  shape.kv_heads = draw(1, 3);
  shape.heads = shape.kv_heads * draw(1, 3);
  shape.d_model = draw(0, 12);
  if (info.id == "big_bird") shape.n = shape.block * draw(1, 7);
  if (reads(info, "m") && draw(0, 1) == 1) shape.m = draw(1, 24);
  if (reads(info, "feature_map")) {
    const FeatureMapInfo& map =
        feature_maps()[static_cast<std::size_t>(rng.below(feature_maps().size()))];
    shape.feature_map = map.id;
    if (map.random && draw(0, 1) == 1) shape.D = 2 * draw(1, 8);
  }
  return shape;
}

std::uint64_t multiply_adds(std::string_view mechanism, const CostShape& shape) {
  return cost_of(mechanism, shape).multiply_adds;
}

/// Sizes with n = m.
CostShape square(std::uint64_t n, std::uint64_t d_k, std::uint64_t d_v) {
  CostShape shape;
  shape.n = n;
  shape.d_k = d_k;
  shape.d_v = d_v;
  return shape;
}

}  // namespace

TEST_CASE_TEMPLATE("formula and run agree on work, traffic and memory: 40 shapes of each mechanism",
                   T, float, double) {
  for (const MechanismInfo& info : mechanisms()) {
    CAPTURE(info.id);
    if (sizeof(T) != sizeof(float) && info.id.starts_with("fused")) {
      CHECK_THROWS_AS(cost_of(info.id, drawn(info, 0), sizeof(T)), ValueError);
      continue;
    }
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      CAPTURE(seed);
      const CostShape shape = drawn(info, seed);
      CAPTURE(shape.feature_map);
      const Cost formula = cost_of(info.id, shape, sizeof(T));
      const AllocationWatch watch;
      const Cost counted = counted_cost<T>(info.id, shape, seed);
      CHECK(counted.multiply_adds == formula.multiply_adds);
      CHECK(counted.bytes_read == formula.bytes_read);
      CHECK(counted.bytes_written == formula.bytes_written);
      CHECK(counted.peak_bytes == formula.peak_bytes);
      CHECK(counted.workspace_bytes == formula.workspace_bytes);
      CHECK(counted.input_bytes == formula.input_bytes);
      CHECK(counted.output_bytes == formula.output_bytes);
      CHECK(counted.index_bytes == formula.index_bytes);
      CHECK(counted.state_bytes == formula.state_bytes);
      if (reads(info, "feature_map") && shape.feature_map == "elu_plus_one") {
        // One exp is counted for each negative entry, a fair coin's count, checked within 5
        // standard deviations. Gradients take the exp of an entry twice, so they toss half as many
        // coins that count 2 each.
        const double half = static_cast<double>(formula.exps) / 2;
        const double worth = info.id.ends_with("_backward") ? 2 : 1;
        CHECK(std::abs(static_cast<double>(counted.exps) - half) <=
              5 * std::sqrt(worth * half / 2));
      } else {
        CHECK(counted.exps == formula.exps);
      }
      if (!AllocationWatch::sees()) continue;
      // The bytes that Eigen took from malloc equal those that the meter counted. Standard
      // containers hold handles and names, and only top-k makes its index lists within the call.
      if (info.id.starts_with("fused")) {
        // The workspace is in the arena, which is larger than these shapes need.
        CHECK(watch.malloc_peak() <= counted.peak_bytes);
        continue;
      }
      CHECK(watch.malloc_peak() == counted.peak_bytes);
      if (info.id != "top_k") CHECK(watch.new_peak() <= 1024);
    }
  }
}

TEST_CASE("the cost of linear attention is known for every feature map") {
  for (const FeatureMapInfo& map : feature_maps()) {
    CAPTURE(map.id);
    for (const std::uint64_t d : {1u, 2u, 5u}) {
      CostShape shape = square(7, d, 3);
      shape.feature_map = map.id;
      for (const MechanismInfo& info : mechanisms()) {
        if (!reads(info, "feature_map")) continue;
        CAPTURE(info.id);
        const Cost formula = cost_of(info.id, shape), counted = counted_cost(info.id, shape);
        CHECK(counted.multiply_adds == formula.multiply_adds);
        CHECK(counted.bytes_read == formula.bytes_read);
        CHECK(counted.bytes_written == formula.bytes_written);
        CHECK(counted.peak_bytes == formula.peak_bytes);
        if (map.id != "elu_plus_one") CHECK(counted.exps == formula.exps);
      }
    }
  }
}

TEST_CASE("for shapes too large for the stack the meter misses only Eigen's packing buffers") {
  CostShape shape = square(256, 24, 40);
  shape.m = 320;
  bool packed = false;
  for (const std::string_view id : {"standard", "linear", "performer", "standard_backward"}) {
    CAPTURE(id);
    const Cost formula = cost_of(id, shape, sizeof(double));
    const AllocationWatch watch;
    // In float32, products are packed into the arena.
    const Cost counted = counted_cost<double>(id, shape);
    CHECK(counted.peak_bytes == formula.peak_bytes);
    CHECK(counted.bytes_read == formula.bytes_read);
    if (!AllocationWatch::sees()) continue;
    CHECK(watch.malloc_peak() >= counted.peak_bytes);
    packed = packed || watch.malloc_peak() > counted.peak_bytes;
    CHECK(watch.malloc_peak() <= counted.peak_bytes + (2 << 20));
  }
  CHECK(packed == AllocationWatch::sees());
}

TEST_CASE("kept cells, visited tiles and feature dimensions equal those of the real objects") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 31);
    const auto draw = [&](std::uint64_t least, std::uint64_t most) {
      return least + rng.below(most - least + 1);
    };
    CostShape shape = square(draw(1, 250), 2, 3);
    shape.window = draw(1, 90);
    shape.block = draw(1, 40);
    shape.summary = draw(0, shape.block);
    shape.k = draw(1, 20);
    const Index n = static_cast<Index>(shape.n), block = static_cast<Index>(shape.block);
    const auto same = [&](std::string_view id, const Pattern& pattern) {
      CAPTURE(id);
      CHECK(multiply_adds(id, shape) == static_cast<std::uint64_t>(pattern.nnz()) * 5);
      CHECK(cost_of(id, shape).index_bytes == pattern.bytes());
    };
    same("sliding_window", Pattern::longformer(n, static_cast<Index>(shape.window)));
    same("local", Pattern::local(n, static_cast<Index>(shape.window)));
    same("strided", Pattern::strided(n, block));
    same("sparse_transformer", Pattern::sparse_transformer(n, block));
    same("fixed", Pattern::fixed(n, block, static_cast<Index>(shape.summary)));
    same("random", Pattern::random(n, static_cast<Index>(shape.k), false, seed));
    same("causal_kept", Pattern::causal(n, n, Alignment::kTopLeft));

    FlashOptions<> tiles;
    tiles.mask = Mask::causal();
    tiles.query_tile = static_cast<Index>(shape.query_tile = draw(1, 50));
    tiles.key_tile = static_cast<Index>(shape.key_tile = draw(1, 50));
    shape.n = draw(1, 80);
    const Index tokens = static_cast<Index>(shape.n);
    const auto made = flash_attention(random(tokens, 2, seed), random(tokens, 2, seed + 1),
                                      random(tokens, 3, seed + 2), tiles);
    // Each visited tile rescales its rows once: exps = cells + rows·tiles visited.
    std::uint64_t rescaled = cost_of("flash_causal", shape).exps - shape.n * (shape.n + 1) / 2;
    if (shape.n % shape.query_tile == 0) {
      CHECK(rescaled == static_cast<std::uint64_t>(made.visited_tiles) * shape.query_tile);
    } else {
      CHECK(rescaled < static_cast<std::uint64_t>(made.visited_tiles) * shape.query_tile);
    }
  }
  for (const FeatureMapInfo& map : feature_maps()) {
    CAPTURE(map.id);
    for (const std::uint64_t d : {1u, 2u, 5u, 12u}) {
      CostShape shape = square(4, d, 6);
      shape.feature_map = map.id;
      const auto D =
          static_cast<std::uint64_t>(FeatureMap<>(map.id, static_cast<Index>(d)).dimension());
      CHECK(cost_of("linear", shape).state_bytes == D * 7 * sizeof(float));
    }
  }
}

TEST_CASE("the closed forms agree with numbers computed by hand") {
  CHECK(multiply_adds("standard", square(4096, 64, 64)) == 2147483648);
  CHECK(multiply_adds("causal", square(4096, 64, 64)) == 2147483648);
  CHECK(multiply_adds("causal_kept", square(4096, 64, 64)) == 1074003968);
  CHECK(multiply_adds("linear", square(4096, 64, 64)) == 34078720);
  CHECK(cost_of("causal", square(100, 64, 64)).exps == 5050);
  CHECK(cost_of("standard", square(4096, 64, 64)).workspace_bytes ==
        (std::uint64_t{4096} * 4096 + 4096) * 4);
  CHECK(linear_multiply_adds(4096, 4096, 64, 64, false) == 33554432);
  CHECK(linear_multiply_adds(4096, 4096, 64, 64, true) == 34078720);
  CHECK(linear_multiply_adds(3, 5, 7, 11, false) == 8 * 7 * 11);
  CHECK(taylor_dimension(64, false) == 4161);
  CHECK(taylor_dimension(64, true) == 2145);
  CHECK(taylor_dimension(16, false) == 273);
  CHECK(taylor_dimension(16, true) == 153);
  for (std::uint64_t n = 0; n <= 12; ++n) {
    for (std::uint64_t w = 0; w <= 14; ++w) {
      std::uint64_t cells = 0;
      for (std::uint64_t i = 0; i < n; ++i) {
        for (std::uint64_t j = 0; j < n; ++j) cells += std::max(i, j) - std::min(i, j) <= w;
      }
      CHECK(band_cells(n, w) == cells);
    }
  }
  StateShape state{.d_model = 64, .length = 4096, .window = 64, .d_v = 64, .d_state = 16};
  CHECK(state_floats(StateKind::kAttention, state) == 524288);
  CHECK(state_floats(StateKind::kSlidingWindow, state) == 8192);
  CHECK(state_floats(StateKind::kLinear, state) == 4160);
  CHECK(state_floats(StateKind::kMamba, state) == 2048);
  CHECK(state_floats(StateKind::kHyena, state) == 262144);
  CHECK(state_floats(StateKind::kShortConv, state) == 192);
  state.heads = 4;
  CHECK(state_floats(StateKind::kLinear, state) == 4 * 4160);
}

TEST_CASE("erratum: lab 2 counts one of two products; the ratio is right, the counts are half") {
  const CostShape shape = square(4096, 64, 64);
  const std::uint64_t softmax = multiply_adds("standard", shape);
  const std::uint64_t linear = linear_multiply_adds(4096, 4096, 64, 64, false);
  // The lab prints "4096² × 64 = 1.07 billion" and "4096 × 64² = 16.8 million".
  CHECK(softmax == 2 * std::uint64_t{4096} * 4096 * 64);
  CHECK(linear == 2 * std::uint64_t{4096} * 64 * 64);
  CHECK(softmax == 64 * linear);
  // These mechanisms are what the lab really runs: normalised, causal, or with Taylor features of
  // d' = 16.
  const auto ratio = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
  };
  CHECK(ratio(softmax, multiply_adds("linear", shape)) == doctest::Approx(63.0).epsilon(1e-3));
  // The notes' 62× is for 34.6e6, which also counts the n·d_v divisions and as many additions.
  CHECK(ratio(softmax, multiply_adds("linear", shape) + 2 * 4096 * 64) ==
        doctest::Approx(62.06).epsilon(1e-3));
  CHECK(ratio(multiply_adds("causal_kept", shape), linear) == doctest::Approx(32).epsilon(1e-3));
  const std::uint64_t narrow = multiply_adds("standard", square(4096, 16, 64));
  CHECK(ratio(narrow, linear_multiply_adds(4096, 4096, 153, 64, false)) ==
        doctest::Approx(16.73).epsilon(1e-3));
  CHECK(ratio(narrow, linear_multiply_adds(4096, 4096, 273, 64, false)) ==
        doctest::Approx(9.38).epsilon(1e-3));
  // Below n = 64 the linear order is slower.
  CHECK(multiply_adds("linear", square(64, 64, 64)) >
        multiply_adds("standard", square(64, 64, 64)));
}

TEST_CASE("erratum: a causal mask on dense scores saves exps but no multiply-adds") {
  const CostShape shape = square(100, 16, 16);
  const Cost full = counted_cost("standard", shape), masked = counted_cost("causal", shape),
             kept = counted_cost("causal_kept", shape);
  CHECK(masked.multiply_adds == full.multiply_adds);
  CHECK(masked.exps * 200 == full.exps * 101);
  CHECK(kept.multiply_adds * 200 == full.multiply_adds * 101);
}

TEST_CASE("flash attention: the same products, memory linear in n") {
  for (const std::uint64_t n : {512u, 4096u, 65536u}) {
    const Cost flash = cost_of("flash", square(n, 64, 64));
    const Cost standard = cost_of("standard", square(n, 64, 64));
    CHECK(flash.multiply_adds == standard.multiply_adds);
    CHECK(flash.workspace_bytes <= 4 * (3 * n + 2 * 64 * 64));
    CHECK(standard.workspace_bytes > 4 * n * n);
  }
}

TEST_CASE("the crossover is the least n with fewer multiply-adds") {
  CHECK(linear_crossover(64, 64, 64) == 64);
  CHECK(linear_crossover(153, 16, 64) == doctest::Approx(244.8));
  // With the sums of the normaliser, 2nD(d_v + 1) < n²(d + d_v), a little above the closed form.
  CHECK(crossover("standard", "linear", square(1, 64, 64)) == std::uint64_t{66});
  CHECK(crossover("linear", "standard", square(1, 64, 64)) == std::uint64_t{1});
  const auto brute = [](std::string_view a, std::string_view b, CostShape shape,
                        std::uint64_t limit) -> std::optional<std::uint64_t> {
    for (shape.n = 1; shape.n <= limit; ++shape.n) {
      try {
        if (multiply_adds(b, shape) < multiply_adds(a, shape)) return shape.n;
      } catch (const Error&) {
      }
    }
    return std::nullopt;
  };
  Rng rng(5, 1);
  const auto all = mechanisms();
  for (int trial = 0; trial < 150; ++trial) {
    const MechanismInfo& a = all[static_cast<std::size_t>(rng.below(all.size()))];
    const MechanismInfo& b = all[static_cast<std::size_t>(rng.below(all.size()))];
    CAPTURE(a.id);
    CAPTURE(b.id);
    CostShape shape = drawn(a, static_cast<std::uint64_t>(trial));
    shape.m = 0;
    // A mechanism with a map of its own has its own D.
    if (!reads(a, "D") || !reads(b, "D")) shape.D = 0;
    CHECK(crossover(a.id, b.id, shape, 150) == brute(a.id, b.id, shape, 150));
  }
}

TEST_CASE("a crossover that never comes is reported as none, and far ones are found") {
  const CostShape shape = square(1, 64, 64);
  CHECK(!crossover("linear", "linear", shape, 5000));
  CHECK(!crossover("standard", "causal", shape, 5000));
  CostShape taylor = square(1, 64, 64);
  taylor.feature_map = "taylor";
  const auto at = crossover("standard", "linear", taylor);
  REQUIRE(at);
  taylor.n = *at;
  CHECK(multiply_adds("linear", taylor) < multiply_adds("standard", taylor));
  taylor.n = *at - 1;
  CHECK(multiply_adds("linear", taylor) >= multiply_adds("standard", taylor));
  CHECK(static_cast<double>(*at) == doctest::Approx(linear_crossover(4161, 64, 64)).epsilon(0.04));
}

TEST_CASE("predicted time: exps move the crossover, equal rates of multiply-adds do not") {
  const CostShape shape = square(1, 64, 64);
  const Rates only_products{.multiply_add = 0.3};
  CHECK(crossover_time("standard", only_products, "linear", only_products, shape) ==
        crossover("standard", "linear", shape));
  const Rates with_exps{.multiply_add = 0.3, .exp = 5};
  // n²·(128·0.3 + 5) > 2n·64·(65·0.3 + 5): n > 64·24.5·2/43.4 = 72.3
  CHECK(crossover_time("standard", with_exps, "linear", with_exps, shape) == std::uint64_t{73});
  const Rates slow{.multiply_add = 0.6}, call{.multiply_add = 0.3, .call = 1e6};
  CHECK(crossover_time("standard", only_products, "linear", slow, shape) == std::uint64_t{131});
  CHECK(*crossover_time("standard", only_products, "linear", call, shape) > 66);
  CHECK(predicted_nanoseconds({.multiply_adds = 10, .exps = 4, .bytes_read = 2, .bytes_written = 3},
                              {.multiply_add = 1, .exp = 2, .byte = 3, .call = 4}) == 37);
  CHECK(error_of([&] {
          crossover_time("standard", {.exp = -1}, "linear", slow, shape);
        }).argument() == "rates_a");
}

TEST_CASE("erratum: day 42's memory table is 128 times one score matrix of eight heads") {
  const MemoryTable table = memory_table();
  REQUIRE(table.rows.size() == 4);
  const std::uint64_t mib = 1 << 20;
  std::uint64_t n = 512, standard = 8, local = 4;
  for (const MemoryRow& row : table.rows) {
    CAPTURE(row.n);
    CHECK(row.n == n);
    CHECK(row.standard == standard * mib);
    CHECK(row.local == local * mib);
    CHECK(row.claimed_standard == 128 * row.standard);
    CHECK(row.claimed_local == 128 * row.local);
    // The kernel that computes only the window keeps local_kept cells.
    CostShape shape = square(n, 64, 64);
    shape.window = 256;
    CHECK(cost_of("local", shape).workspace_bytes * 8 == row.local_kept + 8 * n * 4);
    CHECK(cost_of("sliding_window", shape).workspace_bytes * 8 == row.symmetric_kept + 8 * n * 4);
    CHECK(cost_of("standard", shape).workspace_bytes * 8 == row.standard + 8 * n * 4);
    CHECK(row.local_kept < row.local);
    n *= 2;
    standard *= 4;
    local *= 2;
  }
  // 2w + 1 = 513 keys on both sides of 512 tokens: the rows are as long as the sequence.
  CHECK(table.rows[0].symmetric == table.rows[0].standard);
  CHECK(table.rows[0].symmetric_kept == 8 * 4 * 196864);
  CHECK(table.rows[3].symmetric == 8 * std::uint64_t{4} * 4096 * 513);
  CHECK(table.claim_source.find("day-42") == 0);
  // The printed sizes are those of 1024 heads and batch entries.
  CHECK(memory_table(8, 128).rows[0].standard == table.rows[0].claimed_standard);
  CHECK(error_of([] { memory_table(0); }).argument() == "heads");
  CHECK(error_of([] { memory_table(1, std::uint64_t{1} << 60); }).code() == "capacity");
}

TEST_CASE("numbers beyond 64 bits are refused and never wrap around") {
  const CostShape huge = square(std::uint64_t{1} << 33, 64, 64);
  CHECK(error_of([&] { cost_of("standard", huge); }).code() == "capacity");
  CHECK(cost_of("linear", huge).multiply_adds == (std::uint64_t{1} << 40) * 65);
  CHECK(error_of([&] {
          linear_multiply_adds(std::uint64_t{1} << 40, 1, 1 << 20, 1 << 20, true);
        }).code() == "capacity");
  CHECK(error_of([&] { taylor_dimension(std::uint64_t{1} << 33, false); }).code() == "capacity");
  CHECK(error_of([&] { counted_cost("standard", square(1 << 20, 64, 64)); }).code() == "capacity");
  // At most 2³⁰ bytes are allowed, also where the work is small.
  CHECK(error_of([&] { counted_cost("standard", square(20000, 1, 1)); }).code() == "capacity");
}

TEST_CASE("sizes that no mechanism accepts are refused by name") {
  const auto refused = [](std::string_view id, CostShape shape) {
    return error_of([&] { cost_of(id, shape); }).argument();
  };
  CHECK(refused("nothing", {}) == "mechanism");
  CHECK(refused("standard", square(0, 1, 1)) == "n");
  CHECK(refused("standard", square(1, 0, 1)) == "d_k");
  CHECK(refused("standard", square(1, 1, 0)) == "d_v");
  CHECK(refused("causal", {.n = 4, .m = 5}) == "m");
  CHECK(refused("flash", {.query_tile = 0}) == "query_tile");
  CHECK(refused("linear_chunked", {.chunk = 0}) == "chunk");
  CHECK(refused("big_bird", {.n = 10, .block = 3}) == "block");
  CHECK(refused("fixed", {.block = 3, .summary = 4}) == "summary");
  CHECK(refused("top_k", {.k = 0}) == "k");
  CHECK(refused("local", {.window = 0}) == "window");
  CHECK(refused("grouped_query", {.heads = 6, .kv_heads = 4}) == "kv_heads");
  CHECK(refused("linear", {.feature_map = "nothing"}) == "feature_map");
  CHECK(refused("linear", {.d_k = 8, .D = 9}) == "D");
  CHECK(refused("linear", {.feature_map = "softmax_kernel_trig", .D = 9}) == "D");
  CHECK(cost_of("linear", {.d_k = 8, .D = 8}).multiply_adds > 0);
}

TEST_CASE("finding a known mechanism builds no text for an error") {
  const auto all = mechanisms();
  bool found = true;
  const AllocationWatch watch(AllocationWatch::Scope::kAll);
  for (const MechanismInfo& info : all) found = found && mechanism_info(info.id).id == info.id;
  const std::uint64_t taken = watch.news() + watch.mallocs();
  CHECK(found);
  CHECK(taken == 0);
}

TEST_CASE("every mechanism has a description") {
  for (const MechanismInfo& info : mechanisms()) {
    CAPTURE(info.id);
    CHECK(&mechanism_info(info.id) == &mechanism_info(info.id));
    CHECK(mechanism_info(info.id).label == info.label);
    CHECK(!info.label.empty());
    CHECK(!info.multiply_adds_tex.empty());
    CHECK(!info.memory_tex.empty());
    for (const MechanismParameter& parameter : info.parameters) {
      CHECK(!parameter.description.empty());
    }
  }
}

TEST_SUITE_END();
