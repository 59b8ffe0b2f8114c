// Every entry of the registry of sequence mixers keeps what the interface promises.

#include "attn/mixers/sequence_mixer.hpp"

#include "attn/cost/operation_count.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("sequence_mixer");

namespace {

/// Odd lengths, d_k other than d_v, chunks and windows that the sequence does not fit.
SequenceMixerOptions options_of(const SequenceMixerInfo& info) {
  SequenceMixerOptions options;
  options.id = info.id;
  options.d_model = 6;
  options.heads = 2;
  options.d_k = 4;
  options.length = 11;
  options.bias = true;
  for (const auto& parameter : info.parameters) {
    if (parameter.name == "chunk") options.parameters.emplace_back("chunk", 3);
    if (parameter.name == "window") options.parameters.emplace_back("window", 3);
    if (parameter.name == "sinks") options.parameters.emplace_back("sinks", 2);
    if (parameter.name == "rotary") options.parameters.emplace_back("rotary", 1);
    if (parameter.name == "alibi") options.parameters.emplace_back("alibi", 1);
    if (parameter.name == "add_input") options.parameters.emplace_back("add_input", 1);
    if (parameter.name == "order") options.parameters.emplace_back("order", 3);
    if (parameter.name == "d_state") options.parameters.emplace_back("d_state", 3);
  }
  return options;
}

template <typename T>
Vector<T> parameters_of(const SequenceMixer<T>& mixer) {
  Vector<T> values(mixer.parameters().size());
  initialize<T>(mixer.parameters(), 5, values);
  // Biases and gates that begin at 0 would hide what depends on them.
  return values + T(0.1) * random<T>(values.size(), 1, 8);
}

}  // namespace

TEST_CASE_TEMPLATE(
    "token by token gives what the whole sequence gives, from a state of the stated size", T, float,
    double) {
  for (const SequenceMixerInfo& info : sequence_mixers()) {
    CAPTURE(info.id);
    const auto mixer = make_sequence_mixer<T>(options_of(info));
    const Vector<T> parameters = parameters_of(*mixer);
    const Index n = 11;
    const Matrix<T> X = random<T>(n, 6, 1);
    const Matrix<T> Y = mixer->forward(X, 1, parameters);
    // Norms of heads divide by numbers that may be small.
    const double off = std::is_same_v<T, float> ? 2e-4 : 1e-9;
    MixerState<T> state = mixer->start();
    Matrix<T> by_token(n, 6);
    for (Index t = 0; t < n; ++t) {
      CHECK(static_cast<std::uint64_t>(state.size()) == mixer->state_numbers(t));
      by_token.row(t) = mixer->step(X.row(t), parameters, state);
    }
    CHECK_CLOSE(by_token, Y, off, off);
    CHECK(static_cast<std::uint64_t>(state.size()) == mixer->state_numbers(n));
    CHECK(info.constant_state == (mixer->state_numbers(40) == mixer->state_numbers(41)));
    // Two sequences do not see each other, and no token sees a later one.
    Matrix<T> two(2 * n, 6);
    two << random<T>(n, 6, 2), X;
    CHECK_CLOSE(mixer->forward(two, 2, parameters).bottomRows(n).eval(), Y, off, off);
    CHECK_CLOSE(mixer->forward(X.topRows(7), 1, parameters), Y.topRows(7).eval(), off, off);
  }
}

TEST_CASE("gradients are the slopes of the loss, over two sequences") {
  for (const SequenceMixerInfo& info : sequence_mixers()) {
    CAPTURE(info.id);
    const auto mixer = make_sequence_mixer<double>(options_of(info));
    Vector<double> parameters = parameters_of(*mixer);
    Matrix<double> X = random<double>(10, 6, 1);
    const Matrix<double> dY = random<double>(10, 6, 2);
    const auto loss = [&] { return mixer->forward(X, 2, parameters).cwiseProduct(dY).sum(); };
    Vector<double> d_parameters = Vector<double>::Ones(parameters.size());
    const Matrix<double> dX = mixer->backward(X, 2, parameters, dY, d_parameters);
    CHECK_CLOSE(dX, central_differences(X, loss), 1e-6, 1e-6);
    // It adds to what is there.
    d_parameters.array() -= 1;
    CHECK_CLOSE(d_parameters, central_differences(parameters, loss), 1e-6, 1e-6);
  }
}

TEST_CASE("the cost is what a meter counts") {
  for (const SequenceMixerInfo& info : sequence_mixers()) {
    CAPTURE(info.id);
    const auto mixer = make_sequence_mixer<double>(options_of(info));
    const Vector<double> parameters = parameters_of(*mixer);
    for (const Index n : {1, 7, 11}) {
      CAPTURE(n);
      const Matrix<double> X = random<double>(n, 6, 1);
      OperationMeter meter;
      mixer->forward(X, 1, parameters);
      CHECK(meter.count().multiply_adds == mixer->multiply_adds(n));
    }
  }
}

TEST_CASE("the layer of RetNet works on all tokens together where its chunk is 0") {
  SequenceMixerOptions options = options_of(sequence_mixer_info("retnet"));
  options.parameters = {{"chunk", 0}};
  const auto whole = make_sequence_mixer<double>(options);
  options.parameters = {{"chunk", 7}};
  const auto chunk = make_sequence_mixer<double>(options);
  const Vector<double> parameters = parameters_of(*whole);
  const Matrix<double> X = random<double>(7, 6, 1);
  OperationMeter meter;
  const Matrix<double> Y = whole->forward(X, 1, parameters);
  CHECK(meter.count().multiply_adds == whole->multiply_adds(7));
  CHECK(Y == chunk->forward(X, 1, parameters));
  MixerState<double> state = whole->start();
  CHECK_CLOSE(whole->step(X, parameters, state), Y, 1e-9, 1e-9);
}

TEST_CASE(
    "matrices are lower-triangular, and what is forgotten or overwritten is what the entry says") {
  for (const SequenceMixerInfo& info : sequence_mixers()) {
    CAPTURE(info.id);
    const auto mixer = make_sequence_mixer<double>(options_of(info));
    const Vector<double> parameters = parameters_of(*mixer);
    const Matrix<double> X = random<double>(9, 6, 1);
    if (!info.has_matrix) {
      CHECK_THROWS_AS(mixer->weights(X, parameters, 0), ValueError);
      continue;
    }
    for (Index which = 0; which < mixer->weight_count(); ++which) {
      const Matrix<double> A = mixer->weights(X, parameters, which);
      CHECK(A.rows() == 9);
      const Matrix<double> later = A.triangularView<Eigen::StrictlyUpper>();
      CHECK(later.isZero(0));
      CHECK(A.norm() > 0);
    }
    CHECK_THROWS_AS(mixer->weights(X, parameters, mixer->weight_count()), ValueError);
  }
}

TEST_CASE("a head's matrix times its values is the layer's output") {
  for (const char* id : {"softmax", "sliding_window", "linear", "linear_sum", "retention",
                         "simple_gla", "gla", "mamba2", "delta_rule", "gated_delta_rule"}) {
    CAPTURE(id);
    SequenceMixerOptions options = options_of(sequence_mixer_info(id));
    options.bias = false;
    for (const auto& one : sequence_mixer_info(id).parameters) {
      if (one.name == "head_norm") options.parameters.emplace_back("head_norm", 0);
    }
    const auto mixer = make_sequence_mixer<double>(options);
    const Vector<double> parameters = parameters_of(*mixer);
    const Matrix<double> X = random<double>(7, 6, 1);
    const auto in = view<double>(mixer->parameters().at("in_proj_weight"), parameters);
    const auto out = view<double>(mixer->parameters().at("out_proj.weight"), parameters);
    Matrix<double> heads(7, 6);
    for (Index h = 0; h < 2; ++h) {
      heads.middleCols(3 * h, 3) =
          mixer->weights(X, parameters, h) * (X * in.middleRows(16 + 3 * h, 3).transpose());
    }
    // Linear attention adds ε to its denominators in both.
    CHECK_CLOSE((heads * out.transpose()).eval(), mixer->forward(X, 1, parameters), 1e-9, 1e-9);
  }
}

TEST_CASE("short sequences have the gradients of linear attention's scans") {
  for (const char* map : {"elu_plus_one", "taylor_compact", "identity", "cosformer"}) {
    CAPTURE(map);
    for (const SeenTokens sees : {SeenTokens::kEarlier, SeenTokens::kAll}) {
      // At 6 tokens of d_v = 3 the products of all pairs, at 7 the scans.
      for (const Index n : {6, 7}) {
        CAPTURE(n);
        SequenceMixerOptions options;
        options.id = "linear";
        options.d_model = 3;
        options.d_k = 4;
        options.length = 9;
        options.feature_map = map;
        options.sees = sees;
        const auto mixer = make_sequence_mixer<double>(options);
        const Vector<double> parameters = parameters_of(*mixer);
        const Matrix<double> X = random<double>(n, 3, 1), dY = random<double>(n, 3, 2);
        const Matrix<double> in =
                                 view<double>(mixer->parameters().at("in_proj_weight"), parameters),
                             out = view<double>(mixer->parameters().at("out_proj.weight"),
                                                parameters);
        const Matrix<double> qkv = X * in.transpose();
        LinearAttentionOptions how;
        how.causal = sees == SeenTokens::kEarlier;
        how.position.length = 9;
        const auto back = linear_attention_backward<double>(qkv.leftCols(4), qkv.middleCols(4, 4),
                                                            qkv.rightCols(3), dY * out,
                                                            FeatureMap<double>(map, 4), how);
        Matrix<double> d_qkv(n, 11);
        d_qkv << back.dQ, back.dK, back.dV;
        Vector<double> d_parameters = Vector<double>::Zero(parameters.size());
        const Matrix<double> dX = mixer->backward(X, 1, parameters, dY, d_parameters);
        const Matrix<double> wanted = d_qkv * in;
        // The identity's denominators may be near 0.
        CHECK_CLOSE(dX, wanted, 1e-8, 1e-9 * (1 + wanted.cwiseAbs().maxCoeff()));
      }
    }
  }
}

TEST_CASE("a mask is for those that can see more") {
  SequenceMixerOptions options;
  options.d_model = 4;
  for (const SeenTokens sees : {SeenTokens::kAll, SeenTokens::kLater}) {
    options.sees = sees;
    options.id = "softmax";
    const auto mixer = make_sequence_mixer<double>(options);
    const Vector<double> parameters = parameters_of(*mixer);
    const Matrix<double> X = random<double>(5, 4, 1);
    const Matrix<double> A = mixer->weights(X, parameters, 0);
    CHECK(A(0, 4) > 0);
    CHECK((A(4, 0) > 0) == (sees == SeenTokens::kAll));
    MixerState<double> state = mixer->start();
    CHECK_THROWS_AS(mixer->step(X, parameters, state), ValueError);
    options.id = "gla";
    CHECK(error_of([&] { make_sequence_mixer<double>(options); }).argument() == "sees");
  }
}

TEST_CASE("refuses what does not fit, by name") {
  const auto refusal = [](auto change) {
    SequenceMixerOptions options;
    change(options);
    return error_of([&] { make_sequence_mixer<float>(options); });
  };
  const Error unknown = refusal([](auto& o) { o.id = "attention_is_all"; });
  CHECK(unknown.argument() == "mixer");
  CHECK(std::string(unknown.what()).find("gated_delta_rule") != std::string::npos);
  CHECK_THROWS_AS(sequence_mixer_info("none"), ValueError);
  CHECK(refusal([](auto& o) { o.heads = 5; }).argument() == "heads");
  CHECK(refusal([](auto& o) { o.parameters = {{"window", 3}}; }).argument() == "parameter window");
  CHECK(refusal([](auto& o) { o.parameters = {{"rotary", 2}}; }).argument() == "parameter rotary");
  const auto mixer = make_sequence_mixer<float>({});
  const Matrix<float> X = random<float>(4, 32, 1);
  CHECK(error_of([&] { mixer->forward(X, 1, Vector<float>::Ones(3)); }).argument() == "parameters");
  const Vector<float> parameters = parameters_of(*mixer);
  CHECK(error_of([&] { mixer->forward(X, 3, parameters); }).argument() == "X");
}

TEST_SUITE_END();
