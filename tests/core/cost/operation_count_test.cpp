#include "attn/cost/operation_count.hpp"

#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/attention_training.hpp"
#include "attn/attention/batched_attention.hpp"
#include "attn/attention/flash_attention.hpp"
#include "attn/attention/kv_cache.hpp"
#include "attn/attention/multi_head.hpp"
#include "attn/attention/softmax.hpp"
#include "attn/attention/sparse_attention.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "stack_util.hpp"
#include "test_util.hpp"
#ifndef __EMSCRIPTEN__
#include <thread>
#endif

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("operation_count");

namespace {

template <typename Call>
OperationCount counted(Call call) {
  const OperationMeter meter;
  [[maybe_unused]] const auto result = call();
  return meter.count();
}

std::uint64_t wide(Index x) { return static_cast<std::uint64_t>(x); }

/// Drawn sizes of one case.
struct Sizes {
  Index n, m, d, d_v;

  explicit Sizes(std::uint64_t seed) {
    Rng rng(seed, 21);
    const auto draw = [&] { return static_cast<Index>(1 + rng.below(24)); };
    n = draw();
    m = draw();
    d = draw();
    d_v = draw();
  }
};

}  // namespace

TEST_CASE(
    "meters nest: the inner one takes the counts and adds them to the outer one when it ends") {
  CHECK(!OperationMeter::active());
  OperationMeter outer;
  CHECK(OperationMeter::active());
  OperationMeter::add({.multiply_adds = 3});
  {
    OperationMeter inner;
    OperationMeter::add({.multiply_adds = 4, .exps = 1, .bytes_read = 2, .bytes_written = 5});
    CHECK(inner.count().multiply_adds == 4);
    CHECK(outer.count().multiply_adds == 3);
  }
  CHECK(outer.count().multiply_adds == 7);
  CHECK(outer.count().exps == 1);
  CHECK(outer.count().bytes_read == 2);
  CHECK(outer.count().bytes_written == 5);
  OperationMeter::add({.multiply_adds = 1});
  CHECK(outer.count().multiply_adds == 8);
}

TEST_CASE("nothing is counted without a meter, also after a meter that an error ended") {
  OperationMeter::add({.multiply_adds = 3});
  CHECK_THROWS([] {
    const OperationMeter meter;
    attention(random(3, 4, 1), random(3, 5, 2), random(3, 4, 3));
  }());
  CHECK(!OperationMeter::active());
  const OperationMeter meter;
  CHECK(meter.count().multiply_adds == 0);
  CHECK(meter.peak_bytes() == 0);
}

TEST_CASE("the peak is the memory held at once, within and across meters, as malloc counts it") {
  const AllocationWatch watch;
  OperationMeter meter;
  Matrix<double> a(10, 10);
  { const Matrix<double> b(20, 10); }
  CHECK(meter.peak_bytes() == 300 * sizeof(double));
  {
    OperationMeter inner;
    const Matrix<double> c(15, 10);
    Matrix<float> d(3, 5);
    d.resize(30, 5);
    CHECK(inner.peak_bytes() == 150 * sizeof(double) + 150 * sizeof(float));
    CHECK(inner.allocations() == 3);
  }
  // The peak consists of a, c and the second d.
  CHECK(meter.peak_bytes() == 325 * sizeof(double));
  { const Vector<double> e(226); }
  CHECK(meter.peak_bytes() == 326 * sizeof(double));
  Matrix<double> moved = std::move(a);
  a = Matrix<double>();
  CHECK(meter.peak_bytes() == 326 * sizeof(double));
  // The expression becomes a temporary matrix on its way into the function.
  OperationMeter last;
  require_finite<double>("x", 2 * moved);
  CHECK(last.peak_bytes() == 100 * sizeof(double));
  CHECK(last.count(30 * sizeof(double)).workspace_bytes == 70 * sizeof(double));
  CHECK(last.count(1 << 20).workspace_bytes == 0);
  if (AllocationWatch::sees()) CHECK(watch.malloc_peak() == meter.peak_bytes());
}

TEST_CASE("memory allocated before a meter and freed under it does not hide later allocations") {
  Matrix<double> before(100, 1);
  OperationMeter meter;
  before.resize(0, 0);
  CHECK(meter.peak_bytes() == 0);
  {
    OperationMeter inner;
    const Matrix<double> after(60, 1);
    CHECK(inner.peak_bytes() == 60 * sizeof(double));
  }
  // 100 numbers are freed and 60 allocated, which is never more than before.
  CHECK(meter.peak_bytes() == 0);
}

#ifndef __EMSCRIPTEN__
TEST_CASE("a meter belongs to its thread") {
  const OperationMeter meter;
  std::thread([] {
    CHECK(!OperationMeter::active());
    attention(random(3, 4, 1), random(3, 4, 2), random(3, 4, 3));
  }).join();
  CHECK(meter.count().multiply_adds == 0);
}
#endif

TEST_CASE_TEMPLATE("gradients of dense attention: 2nm(d + d_v) + n·d_v from a kept forward pass", T,
                   float, double) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const Sizes s(seed);
    const Matrix<T> Q = random<T>(s.n, s.d, seed), K = random<T>(s.m, s.d, seed + 1),
                    V = random<T>(s.m, s.d_v, seed + 2), dO = random<T>(s.n, s.d_v, seed + 3);
    const std::uint64_t cells = wide(s.n) * wide(s.m), width = wide(s.d + s.d_v),
                        out = wide(s.n) * wide(s.d_v);
    AttentionOptions<T> options;
    if (seed % 2 == 0) options.bias = random<T>(s.n, s.m, seed + 4);
    Dropout<T> dropout;
    if (seed % 3 == 0) dropout.probability = 0.5;
    const auto forward = attention<T>(Q, K, V, options, dropout);
    const OperationCount from =
        counted([&] { return attention_backward_from<T>(forward, Q, K, V, dO, options, dropout); });
    CHECK(from.multiply_adds == 2 * cells * width + out);
    CHECK(from.exps == 0);
    const OperationCount whole =
        counted([&] { return attention_backward<T>(Q, K, V, dO, options, dropout); });
    // Dropout multiplies by V a second time.
    const std::uint64_t again = seed % 3 == 0 ? cells * wide(s.d_v) : 0;
    CHECK(whole.multiply_adds == 3 * cells * width + out + again);
    CHECK(whole.exps == cells);
    CHECK(whole.bytes_read > from.bytes_read);
    CHECK(whole.workspace_bytes > from.workspace_bytes);
  }
}

TEST_CASE("a batch does the work of its heads, and copies each into place") {
  const Index batch = 2, heads = 3, n = 7, m = 5, d = 4, d_v = 6;
  const auto Q = random_stack<float>(batch, heads, n, d, 1);
  const auto K = random_stack<float>(batch, heads, m, d, 2);
  const auto V = random_stack<float>(batch, heads, m, d_v, 3);
  const auto dO = random_stack<float>(batch, heads, n, d_v, 4);
  const OperationCount one = counted([&] { return attention<float>(Q(0, 0), K(0, 0), V(0, 0)); });
  const OperationCount all = counted([&] { return attention<float>(Q, K, V); });
  CHECK(all.multiply_adds == 6 * one.multiply_adds);
  CHECK(all.exps == 6 * one.exps);
  CHECK(all.bytes_written == 6 * (one.bytes_written + 4 * (7 * 6 + 7 * 5)));
  const OperationCount backward = counted([&] { return attention_backward<float>(Q, K, V, dO); });
  CHECK(backward.multiply_adds == 6 * (3 * 7 * 5 * (4 + 6) + 7 * 6));
}

TEST_CASE("no call copies the n·m numbers of a bias") {
  constexpr Index kBatch = 3, kRows = 40;
  const auto Q = random_stack<double>(kBatch, 2, kRows, 2, 1),
             K = random_stack<double>(kBatch, 2, kRows, 2, 2),
             V = random_stack<double>(kBatch, 2, kRows, 2, 3);
  BatchedAttentionOptions<double> plain_batch, biased_batch;
  biased_batch.attention.bias = random<double>(kRows, kRows, 4);
  HeadsOptions<double> plain_heads, biased_heads;
  biased_heads.bias = random<double>(kRows, kRows, 5);
  // The number of allocations of a call, and the size of the largest.
  const auto taken = [](auto call) {
    const AllocationWatch watch(AllocationWatch::Scope::kAll);
    const OperationMeter meter;
    call();
    return std::vector{meter.allocations(), meter.peak_bytes(), watch.mallocs(),
                       watch.malloc_peak()};
  };
  const auto batch = [&](const auto& how) {
    return taken([&] { return attention<double>(Q, K, V, how); });
  };
  CHECK(batch(biased_batch) == batch(plain_batch));
  const Matrix<double> q = random<double>(kRows, 4, 6);
  const auto heads = [&](const auto& how) {
    return taken([&] { return grouped_query_attention<double>(q, q, q, 2, 2, how); });
  };
  CHECK(heads(biased_heads) == heads(plain_heads));
  // Passing options on allocates nothing either.
  CHECK(taken([&] { return std::pair{biased_batch, biased_heads}; })[0] == 0);
}

TEST_CASE("passing dropout on does not copy the n·m numbers of its mask") {
  constexpr Index kRows = 40;
  Dropout<double> dropout;
  dropout.probability = 0.5;
  dropout.keep = Matrix<double>::Ones(kRows, kRows);
  HeadsOptions<double> heads;
  heads.dropout = dropout;
  const auto allocations = [](auto call) {
    const OperationMeter meter;
    call();
    return meter.allocations();
  };
  CHECK(allocations([&] { return Dropout<double>(dropout); }) == 0);
  CHECK(allocations([&] { return HeadsOptions<double>(heads); }) == 0);
}

TEST_CASE("linear attention's gradients: two scans over features and states") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const Sizes s(seed);
    const bool causal = seed % 2 == 0, normalize = seed % 3 != 0;
    const Index m = causal ? s.n : s.m;
    const FeatureMap<double> map("elu_plus_one", s.d);
    LinearAttentionOptions options;
    options.causal = causal;
    options.normalize = normalize;
    const OperationCount got = counted([&] {
      return linear_attention_backward<double>(
          random<double>(s.n, s.d, seed), random<double>(m, s.d, seed + 1),
          random<double>(m, s.d_v, seed + 2), random<double>(s.n, s.d_v, seed + 3), map, options);
    });
    const std::uint64_t n = wide(s.n), keys = wide(m), D = wide(s.d), d_v = wide(s.d_v);
    // S and z, R and r are built from all keys and queries, or token by token.
    std::uint64_t want = (keys + n) * D * (d_v + 1);
    // The terms are dφ(q) from S and z, dφ(k) from R and r, dV from R, and the gradients of the
    // denominators.
    want += n * D * (d_v + 1) + keys * D * (2 * d_v + 1);
    if (normalize) want += n * D * (d_v + 2);
    CHECK(got.multiply_adds == want);
  }
}

TEST_CASE("a feature map counts its projection, its features and its exps") {
  const Index rows = 7, d = 6;
  const Matrix<> x = random(rows, d, 1);
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    FeatureMapOptions<float> options;
    if (info.random) options.parameters = {{"features", 10}};
    const FeatureMap<> map(info.id, d, options);
    const std::uint64_t projection = wide(map.options().projection.size());
    const OperationCount forward = counted([&] { return map.apply(x); });
    CHECK(forward.multiply_adds >= 7 * projection);
    CHECK(forward.bytes_read >= 4 * 7 * 6);
    CHECK(forward.bytes_written >= 4 * 7 * wide(map.dimension()));
    const OperationCount backward =
        counted([&] { return map.backward(x, Matrix<>::Ones(rows, map.dimension())); });
    // Backward needs the projection again, and its transpose.
    CHECK(backward.multiply_adds >= 2 * 7 * projection);
    CHECK(backward.bytes_read >= 4 * 7 * (6 + wide(map.dimension())));
    CHECK(backward.exps == forward.exps);
  }
  const auto work = [&](const char* id) {
    return counted([&] { return FeatureMap<>(id, d).apply(x); });
  };
  CHECK(work("taylor").multiply_adds == 7 * (6 + 36));
  CHECK(work("taylor_compact").multiply_adds == 7 * (6 + 6 + 15));
  CHECK(work("hedgehog").exps == 7 * 12);
  CHECK(work("softmax_kernel").exps == 7 * 128);
  CHECK(work("elu_plus_one").exps == wide((x.array() <= 0).count()));
  CHECK(work("relu").exps == 0);
}

TEST_CASE("weights that vanish need no exp, in every softmax") {
  // The scores are 0 and −1e6, so the second weight is 0 without an exp.
  Matrix<> Q(1, 1), K(2, 1);
  Q << 1;
  K << 0, -1e6F;
  const Matrix<> V = random(2, 3, 1);
  AttentionOptions<float> options;
  options.scale = 1;
  CHECK(counted([&] { return attention<float>(Q, K, V, options); }).exps == 1);
  FlashOptions<> flash;
  flash.scale = 1;
  // One more exp rescales the row in the one tile.
  CHECK(counted([&] { return flash_attention(Q, K, V, flash); }).exps == 2);
  CHECK(counted([&] {
          return sparse_attention(Q, K, V, Pattern::full(1, 2), {.scale = 1});
        }).exps == 1);
  const Vector<> logits = K.col(0);
  CHECK(counted([&] { return softmax(logits); }).exps == 1);
}

TEST_CASE("a cache's traffic equals that of its storage") {
  for (const KvStorage storage :
       {KvStorage::kExact, KvStorage::kFloat16, KvStorage::kBfloat16, KvStorage::kInt8}) {
    KvCacheOptions options;
    options.storage = storage;
    KvCache<> cache(4, 2, 5, 3, options);
    const OperationCount written = counted([&] {
      cache.append(random(3, 10, 1), random(3, 6, 2));
      return 0;
    });
    CHECK(written.bytes_written == cache.bytes());
    CHECK(written.bytes_read == 4 * 3 * 16);
    const OperationCount read = counted([&] { return cache.keys(0); });
    // 15 numbers are read in their stored form; exact ones are read in place.
    const std::uint64_t bytes = storage == KvStorage::kExact  ? 0
                                : storage == KvStorage::kInt8 ? 15 + 3 * 4
                                                              : 30;
    CHECK(read.bytes_read == bytes);
  }
}

TEST_CASE("pruned heads do no work") {
  MultiHeadWeights<float> w;
  w.heads = w.kv_heads = 3;
  w.Wq = w.Wk = w.Wv = w.Wo = random(6, 6, 1);
  const Matrix<> X = random(5, 6, 2);
  HeadsOptions<float> pruned;
  pruned.keep_heads = {1, 0, 1};
  const std::uint64_t all = counted([&] { return multi_head_attention(X, w); }).multiply_adds;
  const std::uint64_t some =
      counted([&] { return multi_head_attention(X, w, pruned); }).multiply_adds;
  CHECK(all - some == 5 * 5 * (2 + 2));
}

TEST_SUITE_END();
