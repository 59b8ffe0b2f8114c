// Whole layers around a mixer: latent attention, RetNet, RWKV-4 and Mamba. What the official code
// makes of them is in the golden topics mla, retnet, rwkv_wkv and mamba_selective_scan.

#include "attn/mixers/latent_attention.hpp"
#include "attn/mixers/mamba_block.hpp"
#include "attn/mixers/retention_layer.hpp"
#include "attn/mixers/time_mix.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("mixer_layers");

/// Central differences with a step of 1e-5 are off by some 1e-9 here.
constexpr double kLayersOff = 1e-6;

namespace {

LatentAttentionWeights<double> latent_weights(bool latent_queries) {
  LatentAttentionWeights<double> w;
  w.heads = 2;
  w.nope = 3;
  w.rope = 2;
  if (latent_queries) {
    w.q_down = random<double>(3, 5, 1);
    w.q_norm = random<double>(3, 1, 2);
  }
  w.q = random<double>(10, latent_queries ? 3 : 5, 3) * 0.5;
  w.kv_down = random<double>(6, 5, 4);
  w.kv_norm = random<double>(4, 1, 5);
  w.kv_up = random<double>(2 * (3 + 2), 4, 6) * 0.5;
  w.out = random<double>(5, 4, 7);
  return w;
}

RetentionLayerWeights<double> retention_weights() {
  return {2,
          random<double>(8, 5, 1),
          random<double>(8, 5, 2),
          random<double>(6, 5, 3),
          random<double>(6, 5, 4),
          random<double>(5, 6, 5)};
}

TimeMixWeights<double> time_mix_weights() {
  const auto vector = [](std::uint64_t seed) -> Vector<double> {
    return random<double>(3, 1, seed);
  };
  const auto square = [](std::uint64_t seed) { return random<double>(3, 3, seed); };
  return {vector(1), vector(2), vector(3), vector(4), vector(5),
          square(6), square(7), square(8), square(9)};
}

MambaWeights<double> mamba_weights() {
  MambaWeights<double> w;
  w.in = random<double>(8, 3, 1);
  w.taps = random<double>(4, 3, 2);
  w.taps_bias = random<double>(4, 1, 3);
  w.select = random<double>(2 + 2 * 5, 4, 4) * 0.5;
  w.step = random<double>(4, 2, 5);
  w.step_bias = random<double>(4, 1, 6);
  w.log_rates = random<double>(4, 5, 7) * 0.5;
  w.through = random<double>(4, 1, 8);
  w.out = random<double>(3, 4, 9);
  return w;
}

}  // namespace

TEST_CASE("latent attention: both forms agree, gradients are slopes") {
  for (const bool latent_queries : {false, true}) {
    for (const bool yarn : {false, true}) {
      CAPTURE(latent_queries);
      CAPTURE(yarn);
      Matrix<double> X = random<double>(5, 5, 8);
      LatentAttentionWeights<double> w = latent_weights(latent_queries);
      LatentAttentionOptions options;
      options.offset = 3;
      if (yarn) options.yarn = YarnOptions{.trained = 8, .factor = 4};
      const auto naive = latent_attention<double>(X, w, options);
      const auto absorbed = latent_attention<double>(X, w, options, LatentForm::kAbsorbed);
      CHECK_CLOSE(absorbed.output, naive.output, kDouble, kDouble);
      CHECK_CLOSE(absorbed.weights[1], naive.weights[1], kDouble, kDouble);
      const Matrix<double> dO = random<double>(5, 5, 9);
      const auto loss = [&] {
        return latent_attention<double>(X, w, options).output.cwiseProduct(dO).sum();
      };
      const auto back = latent_attention_backward<double>(X, w, dO, options);
      const auto& g = back.d_weights;
      CHECK_CLOSE(back.dX, central_differences(X, loss), kLayersOff, kLayersOff);
      CHECK_CLOSE(g.q, central_differences(w.q, loss), kLayersOff, kLayersOff);
      CHECK_CLOSE(g.q_down, central_differences(w.q_down, loss), kLayersOff, kLayersOff);
      CHECK_CLOSE(g.q_norm, central_differences(w.q_norm, loss), kLayersOff, kLayersOff);
      CHECK_CLOSE(g.kv_down, central_differences(w.kv_down, loss), kLayersOff, kLayersOff);
      CHECK_CLOSE(g.kv_norm, central_differences(w.kv_norm, loss), kLayersOff, kLayersOff);
      CHECK_CLOSE(g.kv_up, central_differences(w.kv_up, loss), kLayersOff, kLayersOff);
      CHECK_CLOSE(g.out, central_differences(w.out, loss), kLayersOff, kLayersOff);
    }
  }
  LatentAttentionWeights<double> wrong = latent_weights(false);
  wrong.kv_up.conservativeResize(9, 4);
  const Matrix<double> X = random<double>(2, 5, 1);
  CHECK(error_of([&] { latent_attention<double>(X, wrong); }).argument() == "kv_up");
}

TEST_CASE("the layer of RetNet: chunks and tokens agree, gradients are slopes") {
  Matrix<double> X = random<double>(7, 5, 11);
  RetentionLayerWeights<double> w = retention_weights();
  RetentionLayerOptions options;
  const auto whole = retention_layer<double>(X, w, options);
  for (const Index chunk : {1, 2, 3}) {
    options.chunk = chunk;
    CHECK_CLOSE(retention_layer<double>(X, w, options).output, whole.output, 1e-10, 1e-10);
    // The forms divide by other numbers, which the norm takes out again up to its ε.
    for (const RetentionForm form : {RetentionForm::kParallel, RetentionForm::kChunked}) {
      options.form = form;
      CHECK_CLOSE(retention_layer<double>(X, w, options).output, whole.output, 1e-3, 1e-3);
      options.form = RetentionForm::kRecurrent;
    }
  }
  // Not chunked: all tokens at once, in every form.
  RetentionLayerOptions at_once, as_one;
  at_once.chunk = 0;
  as_one.chunk = 7;
  for (const RetentionForm form :
       {RetentionForm::kParallel, RetentionForm::kRecurrent, RetentionForm::kChunked}) {
    at_once.form = as_one.form = form;
    CHECK(retention_layer<double>(X, w, at_once).output ==
          retention_layer<double>(X, w, as_one).output);
  }
  as_one.form = RetentionForm::kParallel;
  CHECK(retention_layer<double>(X, w, at_once).output ==
        retention_layer<double>(X, w, as_one).output);
  CHECK(retention_layer_backward<double>(X, w, X, at_once).dX ==
        retention_layer_backward<double>(X, w, X, as_one).dX);
  at_once.chunk = -1;
  CHECK(error_of([&] { retention_layer<double>(X, w, at_once); }).argument() == "chunk");
  CHECK(error_of([&] { retention_layer_backward<double>(X, w, X, at_once); }).argument() ==
        "chunk");
  const auto start = retention_layer<double>(X.topRows(3), w, options);
  const auto rest = retention_layer<double>(X.bottomRows(4), w, options, 3, &start.states);
  CHECK_CLOSE(rest.output, whole.output.bottomRows(4).eval(), 1e-10, 1e-10);
  CHECK_CLOSE(rest.states[1], whole.states[1], 1e-10, 1e-10);
  const Matrix<double> dO = random<double>(7, 5, 12);
  const auto loss = [&] { return retention_layer<double>(X, w).output.cwiseProduct(dO).sum(); };
  const auto back = retention_layer_backward<double>(X, w, dO);
  CHECK_CLOSE(back.dX, central_differences(X, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(back.d_weights.q, central_differences(w.q, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(back.d_weights.k, central_differences(w.k, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(back.d_weights.v, central_differences(w.v, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(back.d_weights.gate, central_differences(w.gate, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(back.d_weights.out, central_differences(w.out, loss), kLayersOff, kLayersOff);
  CHECK_THROWS_AS(retention_layer_weights<double>(X, w, 2), ValueError);
  w.gate.conservativeResize(5, 5);
  CHECK(error_of([&] { retention_layer<double>(X, w); }).argument() == "gate");
}

TEST_CASE("the matrix of a RetNet head is what its values are multiplied with") {
  const Matrix<double> X = random<double>(6, 5, 11);
  RetentionLayerWeights<double> w = retention_weights();
  // One head of one value, the gate the same for all tokens: RMSNorm leaves the sign.
  const Matrix<double> A = retention_layer_weights<double>(X, w, 1);
  const Matrix<double> values = A * (X * w.v.bottomRows(3).transpose());
  Matrix<double> normed(6, 3);
  for (Index i = 0; i < 6; ++i) {
    normed.row(i) = values.row(i) / std::sqrt(values.row(i).squaredNorm() / 3 + 1e-6);
  }
  const Matrix<double> gate = X * w.gate.bottomRows(3).transpose();
  const Matrix<double> opened = gate.array() / (1 + (-gate.array()).exp());
  Matrix<double> first = w.out;
  first.leftCols(3).setZero();
  w.out = first;
  CHECK_CLOSE(retention_layer<double>(X, w).output,
              (normed.cwiseProduct(opened) * w.out.rightCols(3).transpose()).eval(), 1e-9, 1e-9);
}

TEST_CASE("the layer of RWKV-4 goes on from its state, gradients are slopes") {
  Matrix<double> X = random<double>(6, 3, 11);
  TimeMixWeights<double> w = time_mix_weights();
  const auto whole = time_mix<double>(X, w);
  const auto start = time_mix<double>(X.topRows(1), w);
  const auto rest = time_mix<double>(X.bottomRows(5), w, &start.state);
  CHECK_CLOSE(rest.output, whole.output.bottomRows(5).eval(), kDouble, kDouble);
  const Matrix<double> dO = random<double>(6, 3, 12);
  const auto loss = [&] { return time_mix<double>(X, w).output.cwiseProduct(dO).sum(); };
  const auto back = time_mix_backward<double>(X, w, dO);
  const auto& g = back.d_weights;
  CHECK_CLOSE(back.dX, central_differences(X, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.mix_k, central_differences(w.mix_k, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.mix_v, central_differences(w.mix_v, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.mix_r, central_differences(w.mix_r, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.time_decay, central_differences(w.time_decay, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.time_first, central_differences(w.time_first, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.key, central_differences(w.key, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.value, central_differences(w.value, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.receptance, central_differences(w.receptance, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.output, central_differences(w.output, loss), kLayersOff, kLayersOff);
  w.mix_v.conservativeResize(2);
  CHECK(error_of([&] { time_mix<double>(X, w); }).argument() == "mix_v");
}

TEST_CASE("the block of Mamba goes on from its state, gradients are slopes") {
  Matrix<double> X = random<double>(6, 3, 11);
  MambaWeights<double> w = mamba_weights();
  const auto whole = mamba_block<double>(X, w);
  const auto start = mamba_block<double>(X.topRows(4), w);
  const auto rest = mamba_block<double>(X.bottomRows(2), w, &start.state);
  CHECK_CLOSE(rest.output, whole.output.bottomRows(2).eval(), kDouble, kDouble);
  CHECK_CLOSE(rest.state.scan, whole.state.scan, kDouble, kDouble);
  const Matrix<double> dO = random<double>(6, 3, 12);
  const auto loss = [&] { return mamba_block<double>(X, w).output.cwiseProduct(dO).sum(); };
  const auto back = mamba_block_backward<double>(X, w, dO);
  const auto& g = back.d_weights;
  CHECK_CLOSE(back.dX, central_differences(X, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.in, central_differences(w.in, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.taps, central_differences(w.taps, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.taps_bias, central_differences(w.taps_bias, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.select, central_differences(w.select, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.step, central_differences(w.step, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.step_bias, central_differences(w.step_bias, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.log_rates, central_differences(w.log_rates, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.through, central_differences(w.through, loss), kLayersOff, kLayersOff);
  CHECK_CLOSE(g.out, central_differences(w.out, loss), kLayersOff, kLayersOff);
  CHECK_THROWS_AS(mamba_block_weights<double>(X, w, 4), ValueError);
  w.select.conservativeResize(11, 4);
  CHECK(error_of([&] { mamba_block<double>(X, w); }).argument() == "select");
}

TEST_SUITE_END();
