#include "attn/linear_attention/linear_decoder.hpp"

#include <limits>

#include "feature_map_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("linear_decoder");

namespace {

template <typename T>
void check_same(const LinearDecoder<T>& got, const LinearDecoder<T>& wanted) {
  CHECK(got.position() == wanted.position());
  CHECK_CLOSE(got.state().s, wanted.state().s, 0, 0);
  CHECK_CLOSE(got.state().z, wanted.state().z, 0, 0);
}

}  // namespace

TEST_CASE_TEMPLATE("decoding in pieces of any size gives the rows of causal linear attention", T,
                   float, double) {
  Rng rng(21);
  const auto below = [&](std::uint64_t bound) { return static_cast<Index>(rng.below(bound)); };
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    for (int round = 0; round < 12; ++round) {
      CAPTURE(round);
      const Index n = 1 + below(14), d_k = 1 + below(6), d_v = 1 + below(7);
      const auto seed = static_cast<std::uint64_t>(100 * round);
      const Matrix<T> Q = random<T>(n, d_k, seed), K = random<T>(n, d_k, seed + 1),
                      V = random<T>(n, d_v, seed + 2);
      const FeatureMap<T> map = small_map<T>(info, d_k);

      LinearDecoderOptions options;
      // Every third round has no denominator, so that features may cancel freely.
      options.normalize = round % 3 != 0;
      options.denominator = kRules[round % 4 % 3];
      options.epsilon = round % 2 == 0 ? 0.1 : 1e-6;
      options.length = n + below(3);
      LinearAttentionOptions whole;
      whole.causal = true;
      whole.normalize = options.normalize;
      whole.denominator = options.denominator;
      whole.epsilon = options.epsilon;
      whole.position.length = options.length;
      const auto wanted = linear_attention<T>(Q, K, V, map, whole);
      Vector<double> magnified = Vector<double>::Zero(n);
      if (options.normalize) {
        magnified =
            magnification<T>(Q, K, map, Mask::causal(), options.epsilon, options.denominator);
      }
      // Outputs that are not normalised are as large as the state.
      const double largest =
          static_cast<double>(V.cwiseAbs().maxCoeff()) *
          (options.normalize ? 1
                             : 1 + static_cast<double>(map.apply(Q, Role::kQuery, whole.position)
                                                           .cwiseAbs()
                                                           .rowwise()
                                                           .sum()
                                                           .maxCoeff() *
                                                       wanted.state.s.cwiseAbs().maxCoeff()));

      LinearDecoder<T> decoder(map, d_v, options);
      const std::uint64_t bytes = decoder.bytes();
      for (Index at = 0; at < n;) {
        const Index size = std::min(n - at, 1 + below(4));
        const auto q = Q.middleRows(at, size), k = K.middleRows(at, size),
                   v = V.middleRows(at, size);
        const auto magnified_here = magnified.segment(at, size).eval();
        const auto wanted_here = wanted.output.middleRows(at, size).eval();
        if (size == 1) {
          const Matrix<T> out =
              decoder.step(q.row(0).transpose(), k.row(0).transpose(), v.row(0).transpose())
                  .transpose();
          CHECK_EQ(output_mismatch<T>(out, wanted_here, magnified_here, largest), "");
        } else if (size == 3) {
          decoder.append(k, v);
        } else {
          CHECK_EQ(
              output_mismatch<T>(decoder.decode(q, k, v), wanted_here, magnified_here, largest),
              "");
        }
        at += size;
        CHECK(decoder.position() == at);
        CHECK(decoder.bytes() == bytes);
      }
      const double size = static_cast<double>(wanted.state.s.cwiseAbs().maxCoeff() +
                                              wanted.state.z.cwiseAbs().maxCoeff());
      CHECK_CLOSE(decoder.state().s, wanted.state.s, tolerance<T>(), tolerance<T>() * size);
      CHECK_CLOSE(decoder.state().z, wanted.state.z, tolerance<T>(), tolerance<T>() * size);
    }
  }
}

TEST_CASE("the state holds its defined sums, in a constant number of bytes") {
  const FeatureMap<> map("taylor_compact", 5);
  LinearDecoder<> decoder(map, 3);
  CHECK(map.dimension() == 21);
  CHECK(decoder.bytes() == 4 * 21 * 4);
  CHECK(LinearDecoder<double>({"relu", 5}, 3).bytes() == 8 * 5 * 4);
  const Matrix<> K = random(9, 5, 1), V = random(9, 3, 2);
  decoder.append(K, V);
  const Matrix<> phi = map.apply(K, Role::kKey);
  CHECK_CLOSE(decoder.state().s, (phi.transpose() * V).eval(), kFloat, kFloat);
  CHECK_CLOSE(decoder.state().z, phi.colwise().sum().transpose().eval(), kFloat, kFloat);
  CHECK(decoder.bytes() == 4 * 21 * 4);
  CHECK(decoder.d_v() == 3);
  CHECK(decoder.position() == 9);
}

TEST_CASE("a decoder restored to any snapshot repeats its outputs bit for bit") {
  const Matrix<> Q = random(8, 4, 1), K = random(8, 4, 2), V = random(8, 3, 3);
  LinearDecoderOptions options;
  options.length = 8;
  for (const char* id : {"elu_plus_one", "cosformer"}) {
    LinearDecoder<> decoder({id, 4}, 3, options);
    std::vector<LinearDecoderSnapshot<>> moments;
    std::vector<Vector<>> outputs;
    const auto play = [&](LinearDecoder<>& on, Index i) {
      return on.step(Q.row(i).transpose(), K.row(i).transpose(), V.row(i).transpose());
    };
    for (Index i = 0; i < 8; ++i) {
      moments.push_back(decoder.snapshot());
      outputs.push_back(play(decoder, i));
    }
    for (const Index back : {5, 0, 7, 2}) {
      decoder.restore(moments[static_cast<std::size_t>(back)]);
      CHECK(decoder.position() == back);
      // A copy continues independently, and so does a decoder that starts from the snapshot.
      LinearDecoder<> copy = decoder, begun({id, 4}, 3, options, decoder.snapshot());
      for (Index i = back; i < 8; ++i) {
        const Vector<>& wanted = outputs[static_cast<std::size_t>(i)];
        CHECK_CLOSE(play(copy, i), wanted, 0, 0);
        CHECK_CLOSE(play(begun, i), wanted, 0, 0);
      }
      CHECK(decoder.position() == back);
      CHECK_CLOSE(decoder.state().s, moments[static_cast<std::size_t>(back)].state.s, 0, 0);
    }
    decoder.reset();
    check_same(decoder, LinearDecoder<>({id, 4}, 3, options));
    CHECK_CLOSE(play(decoder, 0), outputs[0], 0, 0);
  }
}

TEST_CASE("arguments that do not fit are refused by name and change nothing") {
  const Matrix<> Q = random(3, 4, 1), K = random(3, 4, 2), V = random(3, 2, 3);
  LinearDecoderOptions options;
  options.length = 6;
  LinearDecoder<> decoder({"cosformer", 4}, 2, options);
  decoder.decode(Q, K, V);
  const LinearDecoder<> before = decoder;
  const auto refuses = [&](const std::string& argument, auto call) {
    CHECK(error_of(call).argument() == argument);
    check_same(decoder, before);
  };
  const Matrix<> wide = random(3, 5, 4), longer = random(4, 4, 5);
  refuses("Q", [&] { decoder.decode(wide, K, V); });
  refuses("Q", [&] { decoder.decode(longer, K, V); });
  refuses("K", [&] { decoder.decode(Q, wide, V); });
  refuses("V", [&] { decoder.decode(Q, K, wide); });
  refuses("V", [&] { decoder.append(longer, V); });
  refuses("K", [&] { decoder.append(wide, V); });
  refuses("K", [&] { decoder.step(Vector<>::Ones(4), Vector<>::Ones(3), Vector<>::Ones(2)); });
  refuses("K", [&] { decoder.append(Matrix<>(0, 4), Matrix<>(0, 2)); });
  Matrix<> broken = V;
  broken(1, 1) = NAN;
  refuses("V", [&] { decoder.decode(Q, K, broken); });
  refuses("V", [&] { decoder.append(K, broken); });
  Matrix<> infinite = K;
  infinite(2, 0) = INFINITY;
  refuses("K", [&] { decoder.append(infinite, V); });
  refuses("Q", [&] { decoder.decode(infinite, K, V); });
  // The tokens would have the positions 3 … 6 in a sequence of length 6.
  refuses("length", [&] { decoder.append(longer, random(4, 2, 6)); });
  refuses("state.s", [&] { decoder.restore({LinearState<>::zero(8, 3), 0}); });
  refuses("state.z", [&] { decoder.restore({{Matrix<>::Zero(8, 2), Vector<>::Zero(7)}, 0}); });
  for (const Index position : {Index{-1}, std::numeric_limits<Index>::max()}) {
    if (position == 2147483647) continue;  // the last position there is, where Index has 32 bits
    refuses("position", [&] { decoder.restore({LinearState<>::zero(8, 2), position}); });
  }

  const auto make = [](const FeatureMap<>& map, Index d_v, const LinearDecoderOptions& given = {}) {
    return error_of([&] { LinearDecoder<>(map, d_v, given); });
  };
  CHECK(make({"relu", 4}, 0).argument() == "d_v");
  CHECK(make({"cosformer", 4}, 2).argument() == "feature_map");
  for (const FeatureMapInfo& info : feature_maps()) {
    if (!has_parameter(info, "stabilize")) continue;
    CHECK(make(small_map<float>(info, 4, {{"stabilize", 1}}), 2).argument() == "feature_map");
  }
  LinearDecoderOptions bad;
  bad.epsilon = -1;
  CHECK(make({"relu", 4}, 2, bad).argument() == "epsilon");
  bad = {};
  bad.length = -1;
  CHECK(make({"relu", 4}, 2, bad).argument() == "length");
  CHECK(make({"taylor", 256}, 2000).code() == "capacity");
  CHECK(
      error_of([&] {
        LinearDecoder<>({"relu", 4}, 2, {}, LinearDecoderSnapshot<>{LinearState<>::zero(4, 3), 0});
      }).argument() == "state.s");
}

TEST_SUITE_END();
