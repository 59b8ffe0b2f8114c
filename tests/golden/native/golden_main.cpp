// Runs the golden cases, natively in float32 and float64, compiled to wasm in float32.
//
//   attn_golden GOLDEN_DIR TABLES_DIR BUILD      prints a JSON list, one entry a case and
//   precision: {topic, name, build, status: "passed" | "failed" | "not implemented", detail}
//
// BUILD is what the entries call this build: "native", "wasm simd", … The names of the feature maps
// are read from tests/golden/tables/. A case passes when every expected key was checked and every
// check held. The files that GOLDEN_DIR/files/index.json lists are cases too (file_topics.hpp).

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "attn/analysis/scaling_experiment.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/attention_training.hpp"
#include "attn/attention/flash_attention.hpp"
#include "attn/attention/kv_cache.hpp"
#include "attn/attention/multi_head.hpp"
#include "attn/attention/pattern.hpp"
#include "attn/attention/softmax.hpp"
#include "attn/attention/sparse_attention.hpp"
#include "attn/base/rng.hpp"
#include "attn/cost/complexity.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "cost_topics.hpp"
#include "file_topics.hpp"
#include "golden_case.hpp"
#include "head_topics.hpp"

namespace {

using attn::Index;
using attn::Mask;
using attn::Matrix;
using namespace attn::golden;

const std::set<std::string> kMapParameters{"temp", "eps", "nu", "ln_eps", "kernel_epsilon"};

/// The table's entry for params.map.
const Json& map_entry(const Json& table, const Json& params) {
  const std::string name = params.at("map").get<std::string>();
  if (!table.contains(name)) throw NotImplemented("feature map " + name);
  return table.at(name);
}

template <typename T>
attn::FeatureMap<T> feature_map(const Json& table, const Case<T>& c, Index d_k) {
  const Json& entry = map_entry(table, c.params());
  attn::FeatureMapOptions<T> options;
  const Json parameters = entry.value("parameters", Json::object());
  for (const auto& [name, value] : parameters.items()) {
    if (!value.is_string()) {
      options.parameters.emplace_back(name, number(value));
    } else if (const std::string from = value.template get<std::string>().substr(1);
               c.has_param(from.c_str())) {
      options.parameters.emplace_back(name, c.param(from.c_str(), 0));
    }
  }
  options.projection = c.matrix("W");
  options.bias = c.matrix("b");
  options.gain = c.matrix("gamma");
  options.shift = c.matrix("beta");
  return attn::FeatureMap<T>(entry.at("id").get<std::string>(), d_k, std::move(options));
}

template <typename T>
void run_feature_maps(Case<T>& c, const Json& table) {
  std::set<std::string> known{"map", "n", "d", "D", "layout", "normalize", "stabilizer", "ratio"};
  known.insert(kMapParameters.begin(), kMapParameters.end());
  c.require_known(known, {"x", "W", "b", "gamma", "beta"});
  const Matrix<T> x = c.matrix("x");
  const attn::FeatureMap<T> map = feature_map(table, c, x.cols());
  if (c.has_param("D") && map.dimension() != static_cast<Index>(c.param("D", 0))) {
    c.fail("D: " + std::to_string(map.dimension()));
  }
  const std::string role = map_entry(table, c.params()).value("role", "query");
  c.check("phi", flat<T>(map.apply(x, role == "key" ? attn::Role::kKey : attn::Role::kQuery)));
}

template <typename T>
void run_linear_attention(Case<T>& c, const Json& table) {
  std::set<std::string> known{"map",    "causal", "n",         "m",          "heads",
                              "d_k",    "d_v",    "eps",       "valid_keys", "suggested_chunk",
                              "layout", "scale",  "normalised"};
  c.require_known(known, {"Q", "K", "V", "dO", "W", "b", "gamma", "beta"});
  const Heads heads(c);
  const Matrix<T> Q0 = heads.cut(c, "Q", 0), V0 = heads.cut(c, "V", 0);
  const Index d_k = Q0.cols(), d_v = V0.cols();
  const attn::FeatureMap<T> map = feature_map(table, c, d_k);

  attn::LinearAttentionOptions options;
  options.causal = c.param("causal", 0) != 0;
  options.normalize = c.param("normalised", 1) != 0;
  options.epsilon = c.param("eps", attn::kLinearAttentionEpsilon);
  if (c.has_param("valid_keys")) {
    options.valid_keys = static_cast<Index>(c.param("valid_keys", 0));
  }
  // The registry's maps of q·k include 1/√d, so any other factor is applied to the queries.
  const double own_scale = 1 / std::sqrt(static_cast<double>(d_k));
  const double factor = c.param("scale", own_scale) / own_scale;
  const bool rescaled = std::abs(factor - 1) > 1e-9;
  const auto queries = [&](Index h) -> Matrix<T> {
    Matrix<T> Q = heads.cut(c, "Q", h);
    if (rescaled) Q *= static_cast<T>(factor);
    return Q;
  };

  const auto run = [&](const attn::LinearAttentionOptions& how, const char* key) {
    std::vector<Matrix<T>> outputs, s, z;
    for (Index h = 0; h < heads.count(); ++h) {
      const auto made = attn::linear_attention<T>(queries(h), heads.cut(c, "K", h),
                                                  heads.cut(c, "V", h), map, how);
      outputs.push_back(made.output);
      s.push_back(made.state.s);
      z.push_back(made.state.z.transpose());
    }
    c.check(key, heads.join(outputs));
    c.check("state_S_final", stacked(s));
    c.check("state_z_final", stacked(z));
    c.check("KtV", stacked(s));
  };
  run(options, "out");
  attn::LinearAttentionOptions unnormalised = options;
  unnormalised.normalize = false;
  if (c.expects("out_unnormalised")) run(unnormalised, "out_unnormalised");

  if (options.causal) {
    // Every chunk size must give the same result.
    for (const double chunk : {c.param("suggested_chunk", 3), 2.0, 64.0}) {
      attn::LinearAttentionOptions chunked = options;
      chunked.chunk = static_cast<Index>(chunk);
      run(chunked, "out");
    }
    // Stopping after a token and continuing from the state must give the same result too.
    if (map.streamable() && !options.valid_keys && Q0.rows() > 1) {
      const Index mid =
          c.expects("mid_index") ? static_cast<Index>(number(c.expected("mid_index"))) : 0;
      const Index n = Q0.rows(), first = mid + 1;
      c.note_read("mid_index");
      std::vector<Matrix<T>> outputs, s;
      for (Index h = 0; h < heads.count(); ++h) {
        const Matrix<T> Q = queries(h), K = heads.cut(c, "K", h), V = heads.cut(c, "V", h);
        const auto before = attn::linear_attention<T>(Q.topRows(first), K.topRows(first),
                                                      V.topRows(first), map, options);
        Matrix<T> output(n, d_v);
        output.topRows(first) = before.output;
        if (first < n) {
          output.bottomRows(n - first) =
              attn::linear_attention<T>(Q.bottomRows(n - first), K.bottomRows(n - first),
                                        V.bottomRows(n - first), map, options, &before.state)
                  .output;
        }
        outputs.push_back(output);
        s.push_back(before.state.s);
      }
      c.check("state_S_mid", stacked(s));
      c.check("out", heads.join(outputs));
    }
  }

  if (c.expects("implicit_weights")) {
    std::vector<Matrix<T>> weights;
    for (Index h = 0; h < heads.count(); ++h) {
      const Matrix<T> Q = queries(h), K = heads.cut(c, "K", h);
      Mask mask = options.causal ? Mask::causal() : Mask::full();
      if (options.valid_keys) mask = mask.with_valid_keys(*options.valid_keys);
      weights.push_back(attn::compute_implicit_attention<T>(Q, K, map, mask, options.epsilon,
                                                            options.denominator));
    }
    c.check("implicit_weights", stacked(weights));
  }

  if (c.expects("dQ") || c.expects("dK") || c.expects("dV")) {
    std::vector<Matrix<T>> dQ, dK, dV;
    for (Index h = 0; h < heads.count(); ++h) {
      auto made =
          attn::linear_attention_backward<T>(queries(h), heads.cut(c, "K", h), heads.cut(c, "V", h),
                                             heads.cut(c, "dO", h), map, options);
      if (rescaled) made.dQ *= static_cast<T>(factor);
      dQ.push_back(made.dQ);
      dK.push_back(made.dK);
      dV.push_back(made.dV);
    }
    c.check("dQ", heads.join(dQ));
    c.check("dK", heads.join(dK));
    c.check("dV", heads.join(dV));
  }

  const auto state_floats = [&](const char* id) {
    const Index D = attn::FeatureMap<T>(id, d_k).dimension();
    return std::vector<double>{static_cast<double>(heads.count() * D * (d_v + 1))};
  };
  if (map.info().id == "taylor") {
    c.check("state_floats_full", state_floats("taylor"));
    c.check("state_floats_compact", state_floats("taylor_compact"));
  }

  // Without φ and normaliser, both orders of the product are functions of their own.
  if (map.info().id == "identity" && !options.normalize && !options.causal && !rescaled) {
    std::vector<Matrix<T>> standard, linear, k_tv, order, standard_order;
    for (Index h = 0; h < heads.count(); ++h) {
      const Matrix<T> Q = queries(h), K = heads.cut(c, "K", h), V = heads.cut(c, "V", h);
      const auto report = attn::verify_associativity<T>(Q, K, V);
      standard.push_back(report.standard);
      linear.push_back(report.linear);
      k_tv.push_back(report.k_tv);
      order.push_back(attn::linear_attention_order<T>(Q, K, V, map));
      standard_order.push_back(attn::standard_attention_order<T>(Q, K, V).output);
    }
    for (const auto& out : {standard, linear, order, standard_order}) {
      c.check("out", heads.join(out));
    }
    c.check("KtV", stacked(k_tv));
  }
}

template <typename T>
void run_softmax_attention(Case<T>& c, const Json&) {
  c.require_known({"n", "m", "d_k", "d_v", "scale", "scaled_by_default"},
                  {"Q", "K", "V", "mask", "bias"});
  const Matrix<T> Q = c.matrix("Q"), K = c.matrix("K"), V = c.matrix("V");
  const Matrix<T> keep = c.matrix("mask");
  attn::AttentionOptions<T> options;
  options.bias = c.matrix("bias");
  const bool by_default = c.param("scaled_by_default", 0) != 0;
  if (!by_default && c.has_param("scale")) options.scale = c.param("scale", 1);
  if (by_default && c.has_param("scale") &&
      std::abs(attn::attention_scale({}, Q.cols()) - c.param("scale", 0)) > 1e-12) {
    c.fail("default scale is not the one of the case");
  }

  // A mask that equals one of the named masks must also be right under that name.
  std::vector<Mask> masks{keep.size() > 0 ? Mask::from_matrix<T>(keep) : Mask::full()};
  for (const Mask& named : {Mask::full(), Mask::causal(), Mask::causal_bottom_right()}) {
    bool same = keep.size() > 0;
    for (Index i = 0; same && i < keep.rows(); ++i) {
      for (Index j = 0; same && j < keep.cols(); ++j) {
        same = named.keeps(i, j, keep.rows(), keep.cols()) == (keep(i, j) != 0);
      }
    }
    if (same) masks.push_back(named);
  }

  for (const Mask& mask : masks) {
    options.mask = mask;
    const attn::AttentionResult<T> made = attn::attention<T>(Q, K, V, options);
    c.check("out", flat(made.output));
    c.check("weights", flat(made.weights));
    std::vector<double> lse = flat(made.log_sum_exp), valid, entropy, largest;
    for (std::size_t i = 0; i < lse.size(); ++i) {
      valid.push_back(std::isfinite(lse[i]) ? 1 : 0);
      // The vectors write 0 where no key is visible.
      if (lse[i] == -std::numeric_limits<double>::infinity()) lse[i] = 0;
      double sum = 0, top = 0;
      for (Index j = 0; j < made.weights.cols(); ++j) {
        const double w = made.weights(static_cast<Index>(i), j);
        if (w > 0) sum -= w * std::log(w);
        top = std::max(top, w);
      }
      entropy.push_back(sum);
      largest.push_back(top);
    }
    c.check("lse", lse);
    c.check("lse_valid", valid);
    c.check("row_entropy", entropy);
    c.check("row_max", largest);
  }
}

/// A layer's matrices and biases under the names that a case gives them; a missing bias stays
/// empty.
template <typename T>
attn::MultiHeadWeights<T> layer_weights(const Case<T>& c, Index heads,
                                        const std::vector<std::string>& names) {
  attn::MultiHeadWeights<T> w;
  w.heads = w.kv_heads = heads;
  Matrix<T>* const matrices[] = {&w.Wq, &w.Wk, &w.Wv, &w.Wo};
  attn::Vector<T>* const biases[] = {&w.bq, &w.bk, &w.bv, &w.bo};
  for (std::size_t k = 0; k < 4; ++k) {
    *matrices[k] = c.matrix(names[k].c_str());
    const Matrix<T> bias = c.matrix(names[k + 4].c_str());
    if (bias.size() > 0) *biases[k] = bias.row(0).transpose();
  }
  return w;
}

template <typename T>
void run_multihead(Case<T>& c, const Json&) {
  c.require_known({"n", "m", "d_model", "heads", "causal", "key_padding_last", "self_attention"},
                  {"X", "Yk", "Yv", "Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo"});
  const Matrix<T> X = c.matrix("X");
  const bool self = c.param("self_attention", 1) != 0;
  const Matrix<T> Yk = self ? X : c.matrix("Yk"), Yv = self ? X : c.matrix("Yv");
  const auto heads = static_cast<Index>(c.param("heads", 1));
  const attn::MultiHeadWeights<T> w =
      layer_weights(c, heads, {"Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo"});
  if (w.Wq.cols() != static_cast<Index>(c.param("d_model", 0))) c.fail("d_model");

  attn::HeadsOptions<T> options;
  if (c.param("causal", 0) != 0) options.mask = Mask::causal();
  const auto m = static_cast<std::size_t>(Yk.rows());
  const auto padded = static_cast<std::size_t>(c.param("key_padding_last", 0));
  options.keep_keys.assign(m, 1);
  std::fill(options.keep_keys.end() - static_cast<std::ptrdiff_t>(padded), options.keep_keys.end(),
            std::uint8_t{0});

  const auto check = [&](const attn::MultiHeadResult<T>& made) {
    c.check("out", flat(made.output));
    c.check("weights", stacked(made.heads.weights));
  };
  check(attn::multi_head_attention<T>(X, Yk, Yv, w, options));
  if (self) {
    check(attn::multi_head_attention<T>(X, w, options));
    Matrix<T> packed(w.Wq.rows() + w.Wk.rows() + w.Wv.rows(), X.cols());
    packed << w.Wq, w.Wk, w.Wv;
    attn::Vector<T> bias(w.bq.size() + w.bk.size() + w.bv.size());
    bias << w.bq, w.bk, w.bv;
    check(attn::multi_head_attention<T>(
        X, attn::unpack_in_projection<T>(packed, bias, w.Wo, w.bo, heads, heads), options));
  }
}

/// [tokens, heads, d] as a tokens×(heads·d) matrix, which has the same numbers in the same order.
template <typename T>
Matrix<T> heads_side_by_side(const Case<T>& c, const char* name) {
  const std::vector<Index> shape = shape_of(c.input(name));
  const std::vector<double> data = numbers(c.input(name));
  if (shape.size() != 3) throw NotImplemented(std::string(name) + " is not [tokens, heads, d]");
  Matrix<T> made(shape[0], shape[1] * shape[2]);
  for (Index i = 0; i < made.size(); ++i) {
    made.data()[i] = static_cast<T>(data[static_cast<std::size_t>(i)]);
  }
  return made;
}

template <typename T>
void run_gqa_mqa(Case<T>& c, const Json&) {
  c.require_known(
      {"n", "m", "heads", "kv_heads", "d_k", "d_v", "causal", "window", "kv_cache_bytes_fp32"},
      {"Q", "K", "V"});
  const Matrix<T> Q = heads_side_by_side(c, "Q"), K = heads_side_by_side(c, "K"),
                  V = heads_side_by_side(c, "V");
  const auto heads = static_cast<Index>(c.param("heads", 1));
  const auto kv_heads = static_cast<Index>(c.param("kv_heads", 1));
  attn::HeadsOptions<T> options;
  const auto width = c.params().at("window").template get<std::vector<Index>>();
  if (width.at(0) >= 0) options.window.left = width[0];
  if (width.at(1) >= 0) options.window.right = width[1];
  if (c.param("causal", 0) != 0) options.window.right = 0;
  const auto made = attn::grouped_query_attention<T>(Q, K, V, heads, kv_heads, options);
  c.check("out", flat(made.output));
  c.check("weights", stacked(made.weights));

  const Index d_k = K.cols() / kv_heads, d_v = V.cols() / kv_heads;
  const std::uint64_t bytes = attn::kv_cache_bytes(K.rows(), kv_heads, d_k, d_v);
  if (static_cast<double>(bytes) != c.param("kv_cache_bytes_fp32", -1)) {
    c.fail("kv_cache_bytes_fp32: " + std::to_string(bytes));
  }
  // A cache gives the same result for causal queries of its newest tokens.
  if (options.window.right == Index{0} && Q.rows() <= K.rows()) {
    attn::KvCacheOptions how;
    if (options.window.left) how.window = *options.window.left + 1;
    const Index capacity = K.rows() + Q.rows();
    attn::KvCache<T> cache(capacity, kv_heads, d_k, d_v, how);
    cache.append(K, V);
    c.check("out", flat(cache.attend(Q, heads).output));
  }
}

template <typename T>
void run_kv_cache(Case<T>& c, const Json&) {
  c.require_known({"n", "heads", "d_k", "d_v"}, {"Q", "K", "V"});
  const Matrix<T> Q = heads_side_by_side(c, "Q"), K = heads_side_by_side(c, "K"),
                  V = heads_side_by_side(c, "V");
  const auto heads = static_cast<Index>(c.param("heads", 1));
  const Index n = Q.rows(), d_k = K.cols() / heads, d_v = V.cols() / heads;
  // Tokens are added one at a time, two at a time and all at once, to a cache and to a ring that
  // never wraps around.
  for (const bool ring : {false, true}) {
    for (const Index step : {Index{1}, Index{2}, n}) {
      attn::KvCacheOptions how;
      if (ring) how.window = n;
      attn::KvCache<T> cache(ring ? 2 * n : n, heads, d_k, d_v, how);
      Matrix<T> out(n, heads * d_v);
      std::vector<double> floats;
      for (Index t = 0; t < n; t += step) {
        const Index r = std::min(step, n - t);
        out.middleRows(t, r) =
            cache.decode(Q.middleRows(t, r), K.middleRows(t, r), V.middleRows(t, r), heads).output;
        floats.push_back(static_cast<double>(cache.bytes() / sizeof(T)));
      }
      c.check("out", flat(out));
      if (step == 1) c.check("cache_floats_after_each_step", floats);
    }
  }
}

template <typename T>
void run_cosformer(Case<T>& c, const Json&) {
  std::set<std::string> inputs{"x", "y"};
  std::vector<std::string> names;
  for (const char* kind : {"_weight", "_bias"}) {
    for (const char* part : {"q", "k", "v", "out"}) {
      names.push_back(std::string(part) + "_proj" + kind);
    }
  }
  inputs.insert(names.begin(), names.end());
  c.require_known({"L", "S", "embed", "heads", "causal", "eps"}, inputs);
  const Matrix<T> x = c.matrix("x"), y = c.has_input("y") ? c.matrix("y") : x;
  const auto w = layer_weights(c, static_cast<Index>(c.param("heads", 1)), names);
  const attn::FeatureMap<T> map("cosformer", w.Wq.rows() / w.heads);
  attn::LinearAttentionOptions options;
  options.causal = c.param("causal", 0) != 0;
  options.epsilon = c.param("eps", 1e-6);
  options.denominator = attn::DenominatorRule::kClamp;
  for (const Index chunk : {1, 3}) {
    options.chunk = chunk;
    c.check("out", flat(attn::multi_head_linear_attention<T>(x, y, y, w, map, options).output));
  }
}

/// Checks lemma 2 of the Performer paper on the core's own features, for one random row of W at a
/// time.
///
/// An estimate depends on w only through t = w·u, where u is the direction of x ± y. So with rows
/// t·u on a grid, the sum over the grid with the density of N(0, 1) is the expectation itself (the
/// trapezoid rule for a smooth, decaying integrand is exact up to rounding). The same moments, up
/// to the fourth, give the standard errors of a Monte Carlo run with Gaussian W, whose mean and
/// variance must agree within 5 of them.
template <typename T>
void run_performer_moments(Case<T>& c) {
  c.require_known({"d", "statistical"}, {"q", "k"});
  const Matrix<T> q = c.matrix("q"), k = c.matrix("k");
  const Index d = q.cols();
  const double root = std::sqrt(static_cast<double>(d));
  const Matrix<T> sum = q + k;
  c.check("norm2_q_plus_k", {static_cast<double>(sum.squaredNorm()) / root});

  struct Estimator {
    const char *id, *key;
    bool difference;
  };
  for (const Estimator& e :
       {Estimator{"softmax_kernel", "var_single_positive", false},
        Estimator{"softmax_kernel_trig", "var_single_trig", true},
        Estimator{"softmax_kernel_hyperbolic", "var_single_hyperbolic_pair", false}}) {
    /// The estimate that each row of W makes by itself.
    const auto estimates = [&](const Matrix<T>& W) {
      attn::FeatureMapOptions<T> options;
      if (std::string(e.id) == "softmax_kernel") options.parameters = {{"stabilize", 0}};
      options.projection = W;
      const attn::FeatureMap<T> map(e.id, d, options);
      const Matrix<T> products =
          map.apply(q, attn::Role::kQuery).cwiseProduct(map.apply(k, attn::Role::kKey));
      std::vector<double> all(static_cast<std::size_t>(W.rows()));
      for (Index f = 0; f < products.cols(); ++f) {
        all[static_cast<std::size_t>(f % W.rows())] +=
            static_cast<double>(products(0, f)) * static_cast<double>(W.rows());
      }
      return all;
    };

    const Matrix<T> direction = (e.difference ? Matrix<T>(q - k) : sum).normalized();
    const double reach = 15, step = 1.0 / 32;
    const auto points = static_cast<Index>(2 * reach / step) + 1;
    Matrix<T> grid(points, d);
    std::vector<double> density;
    for (Index r = 0; r < points; ++r) {
      const double t = -reach + step * static_cast<double>(r);
      grid.row(r) = static_cast<T>(t) * direction.row(0);
      density.push_back(step * std::exp(-t * t / 2) / std::sqrt(2 * std::acos(-1.0)));
    }
    const std::vector<double> on_grid = estimates(grid);
    const auto moment = [&](double center, int power) {
      double total = 0;
      for (std::size_t r = 0; r < on_grid.size(); ++r) {
        total += density[r] * std::pow(on_grid[r] - center, power);
      }
      return total;
    };
    const double mean = moment(0, 1), variance = moment(mean, 2), fourth = moment(mean, 4);
    c.check("softmax_kernel", {mean});
    c.check(e.key, {variance});

    const Index draws = 400000;
    const std::vector<double> drawn =
        estimates(attn::Rng(2009, 14794).gaussian_matrix<T>(draws, d));
    double average = 0, spread = 0;
    for (const double x : drawn) average += x / static_cast<double>(draws);
    for (const double x : drawn) {
      spread += (x - average) * (x - average) / static_cast<double>(draws - 1);
    }
    const auto require_within = [&](const char* what, double got, double want, double error) {
      if (std::abs(got - want) <= 5 * error) return;
      c.fail(std::string(e.id) + ": " + what + " of the draws is " + std::to_string(got) +
             ", wanted " + std::to_string(want) + " within 5 × " + std::to_string(error));
    };
    const auto count = static_cast<double>(draws);
    require_within("mean", average, number(c.expected("softmax_kernel")),
                   std::sqrt(variance / count));
    require_within("variance", spread, number(c.expected(e.key)),
                   std::sqrt((fourth - variance * variance) / count));
  }
}

template <typename T>
void run_performer(Case<T>& c, const Json&) {
  if (c.param("statistical", 0) != 0) return run_performer_moments(c);
  c.require_known(
      {"n", "m", "d", "dv", "features", "causal", "feature_eps", "denominator_eps", "note"},
      {"Q", "K", "V", "W"});
  const Matrix<T> Q = c.matrix("Q"), K = c.matrix("K"), V = c.matrix("V");
  attn::FeatureMapOptions<T> settings;
  settings.parameters = {{"stabilize", 1}, {"epsilon", c.param("feature_eps", 1e-4)}};
  settings.projection = c.matrix("W");
  const attn::FeatureMap<T> map("softmax_kernel", Q.cols(), settings);
  c.check("phi_q", flat<T>(map.apply(Q, attn::Role::kQuery)));
  c.check("phi_k", flat<T>(map.apply(K, attn::Role::kKey)));
  attn::LinearAttentionOptions options;
  options.causal = c.param("causal", 0) != 0;
  options.epsilon = c.param("denominator_eps", 0);
  options.denominator = attn::DenominatorRule::kAddToKeySum;
  for (const Index chunk : {1, 4}) {
    options.chunk = chunk;
    c.check("out", flat(attn::linear_attention<T>(Q, K, V, map, options).output));
  }
}

template <typename T>
void run_attention_grad(Case<T>& c, const Json&) {
  c.require_known({"n", "m", "d_k", "d_v", "scale"}, {"Q", "K", "V", "mask", "dO"});
  const Matrix<T> Q = c.matrix("Q"), K = c.matrix("K"), V = c.matrix("V"), dO = c.matrix("dO");
  const Matrix<T> keep = c.matrix("mask");
  attn::AttentionOptions<T> options;
  if (keep.size() > 0) options.mask = Mask::from_matrix<T>(keep);
  options.scale = c.param("scale", 1);
  c.check("out", flat(attn::attention<T>(Q, K, V, options).output));
  const auto made = attn::attention_backward<T>(Q, K, V, dO, options);
  c.check("dQ", flat(made.dQ));
  c.check("dK", flat(made.dK));
  c.check("dV", flat(made.dV));
  c.check("dS", flat(made.d_bias));
  c.check("D_rowsum_dO_O", flat(made.row_dots));

  // The tiled computation must give the same numbers.
  attn::FlashOptions<T> tiled;
  tiled.mask = options.mask;
  tiled.scale = options.scale;
  tiled.query_tile = 2;
  tiled.key_tile = 3;
  const auto forward = attn::flash_attention<T>(Q, K, V, tiled);
  const auto flash = attn::flash_attention_backward<T>(Q, K, V, dO, forward, tiled);
  c.check("out", flat(forward.output));
  c.check("dQ", flat(flash.dQ));
  c.check("dK", flat(flash.dK));
  c.check("dV", flat(flash.dV));
  c.check("D_rowsum_dO_O", flat(flash.row_dots));
}

template <typename T>
void run_attention_dropout(Case<T>& c, const Json&) {
  c.require_known({"p", "scale"}, {"Q", "K", "V", "mask", "keep_mask", "dO"});
  const Matrix<T> Q = c.matrix("Q"), K = c.matrix("K"), V = c.matrix("V"), dO = c.matrix("dO");
  const Matrix<T> keep = c.matrix("mask");
  attn::AttentionOptions<T> options;
  if (keep.size() > 0) options.mask = Mask::from_matrix<T>(keep);
  if (c.has_param("scale")) options.scale = c.param("scale", 1);
  attn::Dropout<T> dropout;
  dropout.probability = number(c.params().at("p"));
  dropout.keep = c.matrix("keep_mask");
  const auto made = attn::attention<T>(Q, K, V, options, dropout);
  c.check("out", flat(made.output));
  c.check("weights_before_dropout", flat(made.weights));
  const auto slopes = attn::attention_backward<T>(Q, K, V, dO, options, dropout);
  c.check("dQ", flat(slopes.dQ));
  c.check("dK", flat(slopes.dK));
  c.check("dV", flat(slopes.dV));
}

template <typename T>
void run_softmax_jacobian(Case<T>& c, const Json&) {
  c.require_known({}, {"x"});
  const attn::Vector<T> x = c.matrix("x").transpose();
  const attn::SoftmaxResult<T> made = attn::softmax<T>(x);
  c.check("p", flat(made.weights));
  c.check("logsumexp", {static_cast<double>(made.log_sum_exp)});
  c.check("J", flat(attn::softmax_jacobian<T>(made.weights)));
  c.check("fro", {attn::softmax_jacobian_norm<T>(made.weights)});
  c.check("entropy", {attn::entropy<T>(made.weights)});
}

template <typename T>
void run_flash_online_softmax(Case<T>& c, const Json&) {
  c.require_known({"n", "m", "d_k", "d_v", "Bc", "causal_bottom_right", "scale"},
                  {"Q", "K", "V", "dO"});
  const Matrix<T> Q = c.matrix("Q"), K = c.matrix("K"), V = c.matrix("V"), dO = c.matrix("dO");
  attn::FlashOptions<T> options;
  if (c.param("causal_bottom_right", 0) != 0) options.mask = Mask::causal_bottom_right();
  options.scale = c.param("scale", 1);
  options.key_tile = static_cast<Index>(number(c.params().at("Bc")));
  options.trace = true;
  for (const Index query_tile : {64, 1, 2, 3}) {
    options.query_tile = query_tile;
    const auto made = attn::flash_attention<T>(Q, K, V, options);
    c.check("out", flat(made.output));
    // The vectors write 0 where no key has been seen.
    const auto zero_for_none = [](std::vector<double> all) {
      for (double& x : all) {
        if (x == -std::numeric_limits<double>::infinity()) x = 0;
      }
      return all;
    };
    c.check("lse", zero_for_none(flat(made.log_sum_exp)));
    c.check("m_run", zero_for_none(flat(made.trace.running_max)));
    c.check("l_run", flat(made.trace.running_sum));
    const auto slopes = attn::flash_attention_backward<T>(Q, K, V, dO, made, options);
    c.check("dQ", flat(slopes.dQ));
    c.check("dK", flat(slopes.dK));
    c.check("dV", flat(slopes.dV));
  }
}

template <typename T>
attn::Pattern pattern_of_case(const Case<T>& c, const Matrix<T>& Q, const Matrix<T>& K) {
  const std::string kind = c.params().at("kind").template get<std::string>();
  const auto whole = [&](const char* name) {
    return static_cast<Index>(c.params().at(name).template get<double>());
  };
  if (kind == "longformer") return attn::Pattern::longformer(Q.rows(), whole("w"));
  if (kind == "openai_local") return attn::Pattern::local(Q.rows(), whole("ctx"));
  if (kind == "openai_strided") return attn::Pattern::strided(Q.rows(), whole("ctx"));
  if (kind == "openai_strided_union") {
    return attn::Pattern::sparse_transformer(Q.rows(), whole("ctx"));
  }
  if (kind == "bigbird_full_mask") {
    const Matrix<T> given = c.matrix("rand_attn");
    std::vector<std::vector<Index>> blocks;
    for (Index i = 0; i < given.rows(); ++i) {
      blocks.emplace_back();
      for (Index r = 0; r < given.cols(); ++r) {
        blocks.back().push_back(static_cast<Index>(given(i, r)));
      }
    }
    return attn::Pattern::big_bird(Q.rows(), whole("block"), blocks);
  }
  if (kind == "topk") {
    const Mask mask = c.param("causal", 0) != 0 ? Mask::causal() : Mask::full();
    return attn::Pattern::nearest_keys<T>(Q, K, whole("k"), attn::Nearness::kDot, mask);
  }
  if (kind == "given_mask") return attn::Pattern::from_matrix<T>(c.matrix("mask"));
  throw NotImplemented("kind " + kind);
}

template <typename T>
void run_sparse_attention(Case<T>& c, const Json&) {
  c.require_known({"kind", "n", "m", "d", "dv", "w", "ctx", "block", "num_rand", "note", "k",
                   "causal", "keys_per_row", "nnz"},
                  {"Q", "K", "V", "rand_attn", "mask"});
  const Matrix<T> Q = c.matrix("Q"), K = c.matrix("K"), V = c.matrix("V");
  const attn::Pattern pattern = pattern_of_case<T>(c, Q, K);
  const double nnz = static_cast<double>(pattern.nnz());
  if (c.param("nnz", nnz) != nnz) c.fail("keeps " + std::to_string(nnz) + " cells");
  c.check("mask", flat(pattern.to_matrix<T>()));

  // Longformer's code leaves 1/√d to its caller, and the caller that made these vectors applied it.
  // The Q of the vectors has not been scaled yet. Both ways of scaling must agree.
  if (c.params().at("kind") == "longformer") {
    attn::SparseAttentionOptions<T> unscaled;
    unscaled.scale = 1;
    const Matrix<T> scaled = Q * static_cast<T>(attn::attention_scale({}, Q.cols()));
    c.check("out", flat(attn::sparse_attention<T>(scaled, K, V, pattern, unscaled).output));
  }
  const auto made = attn::sparse_attention<T>(Q, K, V, pattern);
  c.check("out", flat(made.output));
  const double macs = nnz * static_cast<double>(Q.cols() + V.cols());
  if (static_cast<double>(made.operations.multiply_adds) != macs) {
    c.fail(std::to_string(made.operations.multiply_adds) + " multiply-adds");
  }
  attn::AttentionOptions<T> dense;
  dense.mask = pattern.to_mask();
  c.check("out", flat(attn::attention<T>(Q, K, V, dense).output));
}

/// Repeats the experiment of the vectors with our own draws. Two means, of R and of `draws` draws,
/// with standard errors e and e·√(R/draws), differ by more than 5·e·√(1 + R/draws) less than once
/// in a million times. The vectors' rtol and atol must hold too, in float64 as in float32, because
/// they describe draws and not rounding. Standard errors themselves are known to one part in √R,
/// for draws of kurtosis 5.
///
/// The notes call `mean_jacobian_fro` a median, but it is the mean over rows and draws: the median
/// is about 30 standard errors lower (d_k = 256 without the factor).
template <typename T>
void run_scaling_statistics(Case<T>& c, const Json&) {
  c.require_known({"n", "d_k", "scaled", "draws", "statistical"}, {});
  const double theirs = number(c.params().at("draws"));
  attn::ScalingOptions options;
  options.n = {static_cast<Index>(number(c.params().at("n")))};
  options.d_k = {static_cast<Index>(number(c.params().at("d_k")))};
  options.draws = static_cast<Index>(4 * theirs);
  options.seed = 1706;
  options.gradients = false;
  const bool scaled = number(c.params().at("scaled")) != 0;
  const attn::ScalingCell cell = attn::experiment_scaling_factor<T>(options).at(scaled);
  const double draws = static_cast<double>(options.draws), slack = std::sqrt(1 + theirs / draws);
  const auto check = [&](const std::string& key, const attn::Estimate& got) {
    const double error = number(c.expected(key + "_stderr"));
    c.check_within(key, got.mean, 5 * error * slack);
    c.check_within(key + "_stderr", got.standard_error * std::sqrt(draws / theirs),
                   5 * error / std::sqrt(theirs) * slack);
  };
  check("mean_row_max", cell.row_max);
  check("mean_entropy", cell.entropy);
  check("mean_jacobian_fro", cell.jacobian_norm);
}

template <typename T>
void run_complexity(Case<T>& c, const Json&) {
  c.require_known({"n", "m", "dk", "dv", "D", "L", "d_model", "window", "d_state", "heads", "k"},
                  {});
  const auto whole = [&](const char* name, double otherwise) {
    return static_cast<std::uint64_t>(c.param(name, otherwise));
  };
  attn::CostShape shape;
  shape.n = whole("n", 0);
  shape.m = whole("m", c.param("n", 0));
  shape.d_k = whole("dk", 0);
  shape.d_v = whole("dv", 0);
  const std::uint64_t D = whole("D", 0), window = whole("window", 1);
  const auto check = [&](const char* key, std::uint64_t got) {
    c.check(key, {static_cast<double>(got)});
  };

  // The cost by formula.
  const attn::Cost softmax = attn::cost_of("standard", shape, sizeof(T));
  check("macs_softmax", softmax.multiply_adds);
  const std::uint64_t linear = attn::linear_multiply_adds(shape.n, shape.m, D, shape.d_v, false);
  const std::uint64_t normalized = attn::linear_multiply_adds(shape.n, shape.m, D, shape.d_v, true);
  check("macs_linear", linear);
  check("macs_linear_with_normaliser", normalized);
  // The bytes of one score matrix.
  check("scores_bytes_fp32", shape.n * shape.m * 4);
  const bool causal = shape.n == shape.m && c.expects("macs_softmax_causal");
  if (causal) check("macs_softmax_causal", attn::cost_of("causal_kept", shape).multiply_adds);

  attn::StateShape state;
  state.d_model = whole("d_model", 0);
  state.length = whole("L", 0);
  state.window = window;
  state.heads = whole("heads", 1);
  state.D = D;
  state.d_v = shape.d_v;
  state.d_state = whole("d_state", 0);
  state.kernel = whole("k", 3);
  using attn::StateKind;
  check("state_mha", attn::state_floats(StateKind::kAttention, state));
  check("state_sliding", attn::state_floats(StateKind::kSlidingWindow, state));
  check("state_linear", attn::state_floats(StateKind::kLinear, state));
  check("state_mamba", attn::state_floats(StateKind::kMamba, state));
  check("state_hyena", attn::state_floats(StateKind::kHyena, state));
  check("state_short_conv", attn::state_floats(StateKind::kShortConv, state));
  check("taylor_D_full", attn::taylor_dimension(shape.d_k, false));
  check("taylor_D_compact", attn::taylor_dimension(shape.d_k, true));
  // The vectors' band is |i − j| < window.
  check("band_nnz", attn::band_cells(shape.n, window - 1));

  // The cost is counted as well where a run takes no more than seconds.
  if (softmax.multiply_adds > std::uint64_t{1} << 32 || softmax.peak_bytes > 1 << 28) return;
  const attn::Cost run = attn::counted_cost<T>("standard", shape);
  check("macs_softmax", run.multiply_adds);
  if (causal) {
    check("macs_softmax_causal", attn::counted_cost<T>("causal_kept", shape).multiply_adds);
  }
  const auto n = static_cast<Index>(shape.n), m = static_cast<Index>(shape.m),
             d = static_cast<Index>(shape.d_k), d_v = static_cast<Index>(shape.d_v);
  attn::Rng rng(1);
  const Matrix<T> Q = rng.gaussian_matrix<T>(n, d), K = rng.gaussian_matrix<T>(m, d),
                  V = rng.gaussian_matrix<T>(m, d_v);
  check("scores_bytes_fp32",
        static_cast<std::uint64_t>(attn::attention<T>(Q, K, V).weights.size()) * 4);
  check("band_nnz", static_cast<std::uint64_t>(
                        attn::Pattern::longformer(n, static_cast<Index>(window) - 1).nnz()));
  check("taylor_D_full", static_cast<std::uint64_t>(attn::FeatureMap<T>("taylor", d).dimension()));
  check("taylor_D_compact",
        static_cast<std::uint64_t>(attn::FeatureMap<T>("taylor_compact", d).dimension()));
  // A map with that many features; its own work is subtracted.
  attn::FeatureMapOptions<T> options;
  const char* id = "softmax_kernel";
  if (D == shape.d_k) {
    id = "elu_plus_one";
  } else if (D == attn::taylor_dimension(shape.d_k, true)) {
    id = "taylor_compact";
  } else if (D == attn::taylor_dimension(shape.d_k, false)) {
    id = "taylor";
  } else if (D <= 1024) {
    options.parameters = {{"features", static_cast<double>(D)}};
  } else {
    return;
  }
  const attn::FeatureMap<T> map(id, d, options);
  const auto count = [](auto call) {
    const attn::OperationMeter meter;
    call();
    return meter.count().multiply_adds;
  };
  const std::uint64_t features = count([&] { map.apply(Q), map.apply(K); });
  check("macs_linear_with_normaliser",
        count([&] { attn::linear_attention<T>(Q, K, V, map); }) - features);
  // Without the normaliser, the state still holds z, the sum of m rows of D numbers.
  check("macs_linear",
        count([&] { attn::linear_attention_order<T>(Q, K, V, map); }) - features - shape.m * D);
}

template <typename T>
const std::map<std::string, Topic<T>> kTopics{
    {"attention_dropout", &run_attention_dropout<T>},
    {"attention_grad", &run_attention_grad<T>},
    {"complexity", &run_complexity<T>},
    {"cosformer", &run_cosformer<T>},
    {"feature_maps", &run_feature_maps<T>},
    {"flash_online_softmax", &run_flash_online_softmax<T>},
    {"gqa_mqa", &run_gqa_mqa<T>},
    {"kv_cache", &run_kv_cache<T>},
    {"linear_attention", &run_linear_attention<T>},
    {"multihead", &run_multihead<T>},
    {"performer", &run_performer<T>},
    {"scaling_statistics", &run_scaling_statistics<T>},
    {"softmax_attention", &run_softmax_attention<T>},
    {"softmax_jacobian", &run_softmax_jacobian<T>},
    {"sparse_attention", &run_sparse_attention<T>},
};

/// The runner of a topic, in this file or in a chapter's; nullptr where there is none.
template <typename T>
Topic<T> find_topic(const std::string& topic) {
  for (const auto* topics : {&kTopics<T>, &cache_topics<T>(), &cost_topics<T>(), &head_topics<T>(),
                             &kernel_topics<T>(), &kernel_machine_topics<T>(), &layer_topics<T>(),
                             &mixer_topics<T>(), &model_topics<T>(), &nn_topics<T>()}) {
    if (const auto found = topics->find(topic); found != topics->end()) return found->second;
  }
  return nullptr;
}

/// Topics whose runner handles `statistical` cases, which describe distributions and not single
/// entries.
const std::set<std::string> kStatisticalTopics{"ntk", "performer", "scaling_statistics"};

template <typename T>
std::string label(const std::string& build) {
  return build + (std::is_same_v<T, double> ? " float64" : " float32");
}

template <typename T>
Json run(const std::string& topic, const Json& given, const Json& table, const std::string& build) {
  Json result{{"topic", topic},
              {"name", given.value("name", "unnamed")},
              {"build", label<T>(build)},
              {"detail", ""}};
  const auto end = [&](const char* status, const std::string& detail) {
    result["status"] = status;
    result["detail"] = detail;
    return result;
  };
  const Topic<T> topic_runner = find_topic<T>(topic);
  if (topic_runner == nullptr) return end("not implemented", "topic");
  try {
    if (given.at("params").value("statistical", false) && !kStatisticalTopics.contains(topic)) {
      throw NotImplemented("statistical case");
    }
    Case<T> c(given);
    topic_runner(c, table);
    if (!c.failure().empty()) return end("failed", c.failure());
    std::string left;
    for (const std::string& key : c.unchecked()) left += (left.empty() ? "" : ", ") + key;
    if (!left.empty()) return end("not implemented", "unchecked: " + left);
    if (given.at("expected").empty()) return end("not implemented", "nothing expected");
    return end("passed", "");
  } catch (const NotImplemented& missing) {
    return end("not implemented", missing.what());
  } catch (const std::exception& error) {
    return end("failed", error.what());
  }
}

/// Runs every case of a file at one precision. A file that cannot be read counts as one failed
/// case.
template <typename T>
void run_file(const std::filesystem::path& path, const Json& table, const std::string& build,
              Json& results) {
  const std::string stem = path.stem().string();
  try {
    std::ifstream file(path);
    const Json content = Json::parse(file);
    const std::string topic = content.value("topic", stem);
    for (const Json& given : content.at("cases")) {
      results.push_back(run<T>(topic, given, table, build));
    }
  } catch (const Json::exception& error) {
    results.push_back({{"topic", stem},
                       {"name", "(file)"},
                       {"build", label<T>(build)},
                       {"status", "failed"},
                       {"detail", error.what()}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: attn_golden GOLDEN_DIR TABLES_DIR BUILD\n";
    return 2;
  }
  try {
    const std::filesystem::path tables(argv[2]);
    std::ifstream table_file(tables / "feature_maps.json");
    const Json table = Json::parse(table_file);
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
      if (entry.path().extension() == ".json") files.insert(entry.path());
    }
    Json results = Json::array();
    for (const auto& path : files) {
      run_file<float>(path, table, argv[3], results);
#ifndef __EMSCRIPTEN__
      // The page computes in float32.
      run_file<double>(path, table, argv[3], results);
#endif
    }
    // Files are read in float64, whatever the build.
    run_files(std::filesystem::path(argv[1]) / "files", label<double>(argv[3]), results);
    std::cout << results.dump(1) << '\n';
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "attn_golden: " << error.what() << '\n';
    return 2;
  }
}
