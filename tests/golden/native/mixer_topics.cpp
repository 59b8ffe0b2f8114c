// The topics of the sequence mixers.

#include "attn/attention/attention.hpp"
#include "attn/mixers/matrix_state.hpp"
#include "attn/mixers/positions.hpp"
#include "attn/mixers/selective_scan.hpp"
#include "attn/mixers/wkv.hpp"
#include "golden_case.hpp"
#include "layer_topics.hpp"

namespace attn::golden {
namespace {

/// Chunks that are checked: one token at a time, pieces that do not fit, everything at once.
constexpr Index kChunks[] = {1, 3, 4, 64};

/// One of the recurrences with a matrix as its state.
template <typename T>
void run_matrix_state(Case<T>& c, StateWrite write) {
  if (c.params().value("kind", "") == "lightning_slopes") {
    c.require_known({"kind", "heads", "layer_idx", "num_layers"}, {});
    const auto whole = [&](const char* name) { return static_cast<Index>(c.param(name, 0)); };
    std::vector<double> slopes;
    for (Index h = 0; h < whole("heads"); ++h) {
      slopes.push_back(
          lightning_log_decay(h, whole("heads"), whole("layer_idx"), whole("num_layers")));
    }
    return c.check("g_gamma", slopes);
  }
  c.require_known({"layout", "n", "heads", "d_k", "d_v", "scale", "scaled_by_default", "qk_l2norm",
                   "l2norm_eps", "keys", "suggested_chunk", "state_floats", "note", "gates",
                   "layer_idx", "num_layers"},
                  {"Q", "K", "V", "beta", "g", "initial_state", "dO", "d_state_final"});
  if (c.param("l2norm_eps", kL2NormEpsilon) != kL2NormEpsilon) throw NotImplemented("l2norm_eps");
  const Heads heads(c);
  const Index n = static_cast<Index>(c.param("n", 0));
  MatrixStateOptions options;
  options.write = write;
  options.l2_normalize = c.param("qk_l2norm", 0) != 0;
  if (c.param("scaled_by_default", 0) == 0) options.scale = c.param("scale", 1);
  // A number or a row for each token of a head: [heads, n] or [heads, n, d_k].
  const auto gate = [&](const char* name, Index h) -> Matrix<T> {
    if (!c.has_input(name)) return {};
    const std::vector<double> all = numbers(c.input(name));
    const Index width = static_cast<Index>(all.size()) / (heads.count() * n);
    Matrix<T> made(n, width);
    for (Index i = 0; i < made.size(); ++i) {
      made.data()[i] = static_cast<T>(all[static_cast<std::size_t>(h * n * width + i)]);
    }
    return made;
  };
  for (const Index chunk : kChunks) {
    options.chunk = chunk;
    std::vector<Matrix<T>> out, weighted, state, dQ, dK, dV, d_decay, d_beta, d_initial;
    for (Index h = 0; h < heads.count(); ++h) {
      const Matrix<T> Q = heads.cut(c, "Q", h), K = heads.cut(c, "K", h), V = heads.cut(c, "V", h);
      const MatrixStateGates<T> gates{gate("g", h), gate("beta", h)};
      Matrix<T> initial, d_state;
      if (c.has_input("initial_state")) initial = heads.cut(c, "initial_state", h);
      if (c.has_input("d_state_final")) d_state = heads.cut(c, "d_state_final", h);
      const Matrix<T>* from = initial.size() > 0 ? &initial : nullptr;
      auto made = matrix_state<T>(Q, K, V, gates, options, from);
      out.push_back(std::move(made.output));
      state.push_back(std::move(made.state));
      if (from == nullptr) weighted.push_back(matrix_state_weights<T>(Q, K, gates, options) * V);
      if (!c.has_input("dO")) continue;
      auto back = matrix_state_backward<T>(Q, K, V, heads.cut(c, "dO", h), gates, options, from,
                                           d_state.size() > 0 ? &d_state : nullptr);
      dQ.push_back(std::move(back.dQ));
      dK.push_back(std::move(back.dK));
      dV.push_back(std::move(back.dV));
      d_decay.push_back(std::move(back.d_log_decay));
      d_beta.push_back(std::move(back.d_beta));
      d_initial.push_back(std::move(back.d_initial));
    }
    c.check("out", stacked(out));
    if (!weighted.empty()) c.check("out", stacked(weighted));
    c.check("state_final", stacked(state));
    if (dQ.empty()) continue;
    c.check("dQ", stacked(dQ));
    c.check("dK", stacked(dK));
    c.check("dV", stacked(dV));
    c.check("dg", stacked(d_decay));
    c.check("dbeta", stacked(d_beta));
    c.check("d_initial_state", stacked(d_initial));
  }
}

template <typename T>
void run_adding(Case<T>& c, const Json&) {
  run_matrix_state(c, StateWrite::kAdd);
}

template <typename T>
void run_delta(Case<T>& c, const Json&) {
  run_matrix_state(c, StateWrite::kDelta);
}

/// Retention as it is, without rotation and norm: a constant decay a head.
template <typename T>
void run_retnet(Case<T>& c, const Json&) {
  if (!c.has_param("gamma")) return run_retention_layer(c);
  c.require_known({"layout", "n", "heads", "d_k", "d_v", "gamma"}, {"Q", "K", "V"});
  const Heads heads(c);
  for (const Index chunk : kChunks) {
    MatrixStateOptions options;
    options.chunk = chunk;
    std::vector<Matrix<T>> out, state;
    for (Index h = 0; h < heads.count(); ++h) {
      const Matrix<T> Q = heads.cut(c, "Q", h);
      const double decay = retention_log_decay(h);
      const double gamma = number(c.params().at("gamma").at(static_cast<std::size_t>(h)));
      if (std::abs(std::exp(decay) - gamma) > 1e-12) c.fail("gamma");
      MatrixStateGates<T> gates;
      gates.log_decay = Matrix<T>::Constant(Q.rows(), 1, static_cast<T>(decay));
      auto made = matrix_state<T>(Q, heads.cut(c, "K", h), heads.cut(c, "V", h), gates, options);
      out.push_back(std::move(made.output));
      state.push_back(std::move(made.state));
    }
    c.check("out", stacked(out));
    c.check("state_final", stacked(state));
  }
}

template <typename T>
void run_rwkv(Case<T>& c, const Json&) {
  if (c.has_input("W_key")) return run_time_mix(c);
  c.require_known({"T", "C", "w_from", "state_floats"}, {"time_decay", "u", "k", "v", "gy"});
  const Matrix<T> k = c.matrix("k"), v = c.matrix("v");
  const Vector<T> decay = c.vector("time_decay"), u = c.vector("u");
  c.check("y", flat<T>(wkv<T>(k, v, decay, u).output));
  const auto back = wkv_backward<T>(k, v, decay, u, c.matrix("gy"));
  c.check("dk", flat<T>(back.dK));
  c.check("dv", flat<T>(back.dV));
  c.check("d_time_decay", flat<T>(back.d_time_decay));
  c.check("du", flat<T>(back.du));
}

/// Mamba-2's heads are the recurrence with a matrix as its state: q is C, k is B, v is X.
template <typename T>
void run_mamba2(Case<T>& c) {
  c.require_known({"L", "heads", "P", "N", "block", "note"}, {"X", "A", "B", "C"});
  const Index n = static_cast<Index>(c.param("L", 0)),
              heads = static_cast<Index>(c.param("heads", 0));
  const Matrix<T> decay = c.matrix("A");
  // [L, heads, width]
  const auto head = [&](const char* name, Index h) {
    const std::vector<double> all = numbers(c.input(name));
    const Index width = static_cast<Index>(all.size()) / (n * heads);
    Matrix<T> made(n, width);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < width; ++j) {
        made(i, j) = static_cast<T>(all[static_cast<std::size_t>((i * heads + h) * width + j)]);
      }
    }
    return made;
  };
  MatrixStateOptions options;
  options.scale = 1;
  options.chunk = static_cast<Index>(c.param("block", 1));
  const Index width = static_cast<Index>(c.param("P", 0));
  std::vector<double> Y(static_cast<std::size_t>(n * heads * width));
  std::vector<Matrix<T>> states;
  for (Index h = 0; h < heads; ++h) {
    MatrixStateGates<T> gates;
    gates.log_decay = decay.col(h);
    const auto made = matrix_state<T>(head("C", h), head("B", h), head("X", h), gates, options);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < width; ++j) {
        Y[static_cast<std::size_t>((i * heads + h) * width + j)] = made.output(i, j);
      }
    }
    // The official state is [P, N].
    states.push_back(made.state.transpose());
  }
  c.check("Y", Y);
  c.check("final_state", stacked(states));
}

template <typename T>
void run_mamba(Case<T>& c, const Json&) {
  if (c.has_input("X")) return run_mamba2(c);
  if (c.has_input("A_log")) return run_mamba_block(c);
  c.require_known({"D", "L", "N", "delta_softplus", "gate_z", "state_floats"},
                  {"u", "delta", "A", "B", "C", "D", "dy", "z", "delta_bias"});
  // The official layout has a row for each channel, ours one for each token.
  const auto turned = [&](const char* name) -> Matrix<T> { return c.matrix(name).transpose(); };
  SelectiveScanInputs<T> x;
  x.u = turned("u");
  x.delta = turned("delta");
  x.A = c.matrix("A");
  x.B = turned("B");
  x.C = turned("C");
  x.D = c.vector("D");
  x.z = turned("z");
  x.delta_bias = c.vector("delta_bias");
  const bool softplus = c.param("delta_softplus", 0) != 0;
  const auto made = selective_scan<T>(x, softplus);
  c.check("y", flat<T>(Matrix<T>(made.output.transpose())));
  c.check("last_state", flat<T>(made.state));
  const auto back = selective_scan_backward<T>(x, turned("dy"), softplus);
  c.check("du", flat<T>(Matrix<T>(back.u.transpose())));
  c.check("ddelta", flat<T>(Matrix<T>(back.delta.transpose())));
  c.check("dA", flat<T>(back.A));
  c.check("dB", flat<T>(Matrix<T>(back.B.transpose())));
  c.check("dC", flat<T>(Matrix<T>(back.C.transpose())));
}

template <typename T>
RotaryOptions rotary_options(const Case<T>& c) {
  RotaryOptions options;
  options.pairs =
      c.params().at("style") == "half" ? RotaryPairs::kHalves : RotaryPairs::kInterleaved;
  options.width = static_cast<Index>(c.param("rotary_dim", 0));
  options.base = c.param("base", options.base);
  return options;
}

template <typename T>
void run_rotary(Case<T>& c) {
  c.require_known({"kind", "style", "layout", "n", "heads", "d", "rotary_dim", "base", "offset"},
                  {"X", "dO"});
  const RotaryOptions options = rotary_options(c);
  const Index n = static_cast<Index>(c.param("n", 0)), d = static_cast<Index>(c.param("d", 0));
  const Index offset = static_cast<Index>(c.param("offset", 0));
  const auto each_head = [&](const char* name, auto make) {
    std::vector<double> all;
    if (!c.has_input(name)) return all;
    const std::vector<double> data = numbers(c.input(name));
    for (std::size_t at = 0; at < data.size(); at += static_cast<std::size_t>(n * d)) {
      Matrix<T> X(n, d);
      for (Index i = 0; i < X.size(); ++i) {
        X.data()[i] = static_cast<T>(data[at + static_cast<std::size_t>(i)]);
      }
      const std::vector<double> part = flat<T>(Matrix<T>(make(X)));
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  };
  c.check("out", each_head("X", [&](const auto& X) { return rotate<T>(X, offset, options); }));
  c.check("dX",
          each_head("dO", [&](const auto& X) { return rotate_backward<T>(X, offset, options); }));
  const RotaryTable<T> table = rotary_table<T>(n, d, offset, options);
  c.check("cos", flat<T>(table.cos));
  c.check("sin", flat<T>(table.sin));
}

/// A query and a key that are moved by the same distance have the same score.
template <typename T>
void run_rotary_scores(Case<T>& c) {
  c.require_known({"kind", "style", "d", "base", "q_position", "k_position", "shifts", "note"},
                  {"q", "k"});
  const RotaryOptions options = rotary_options(c);
  std::vector<double> scores;
  for (const Json& shift : c.params().at("shifts")) {
    const auto turned = [&](const char* name, const char* position) {
      return rotate<T>(c.matrix(name), static_cast<Index>(c.param(position, 0) + number(shift)),
                       options);
    };
    const Matrix<T> q = turned("q", "q_position"), k = turned("k", "k_position");
    scores.push_back(static_cast<double>(q.row(0).dot(k.row(0))));
  }
  c.check("scores", scores);
}

template <typename T>
void run_alibi_attention(Case<T>& c) {
  c.require_known({"kind", "layout", "n", "heads", "d_k", "d_v", "causal", "scale", "note"},
                  {"Q", "K", "V"});
  const Heads heads(c);
  const Index n = static_cast<Index>(c.param("n", 0));
  const Vector<T> slopes = alibi_slopes<T>(heads.count());
  std::vector<Matrix<T>> out, weights, by_distance;
  std::vector<double> by_key;
  for (Index h = 0; h < heads.count(); ++h) {
    const double slope = static_cast<double>(slopes(h));
    by_distance.push_back(alibi_bias<T>(n, slope));
    for (Index j = 0; j < n; ++j) by_key.push_back(slope * static_cast<double>(j));
    AttentionOptions<T> options;
    options.scale = c.param("scale", 1);
    options.mask = Mask::causal();
    options.bias = by_distance.back();
    auto made =
        attention<T>(heads.cut(c, "Q", h), heads.cut(c, "K", h), heads.cut(c, "V", h), options);
    out.push_back(std::move(made.output));
    weights.push_back(std::move(made.weights));
  }
  c.check("out", stacked(out));
  c.check("weights", stacked(weights));
  c.check("slopes", flat<T>(slopes));
  c.check("bias_by_key", by_key);
  c.check("bias_by_distance", stacked(by_distance));
}

template <typename T>
void run_positions(Case<T>& c, const Json&) {
  const std::string kind = c.params().at("kind").template get<std::string>();
  if (kind == "rope") return run_rotary(c);
  if (kind == "rope_relative_scores") return run_rotary_scores(c);
  if (kind == "alibi_attention") return run_alibi_attention(c);
  if (kind == "alibi_slopes") {
    c.require_known({"kind", "heads"}, {});
    return c.check("slopes", flat<T>(alibi_slopes<T>(static_cast<Index>(c.param("heads", 0)))));
  }
  if (kind == "sinusoidal") {
    c.require_known({"kind", "variant", "n", "d", "base"}, {});
    const bool paper = c.params().at("variant") == "interleaved_paper";
    return c.check("pe",
                   flat<T>(sinusoidal_positions<T>(
                       static_cast<Index>(c.param("n", 0)), static_cast<Index>(c.param("d", 0)),
                       paper ? SinusoidalLayout::kInterleaved : SinusoidalLayout::kHalves,
                       c.param("base", 10000))));
  }
  throw NotImplemented("kind " + kind);
}

template <typename T>
const std::map<std::string, Topic<T>> kTopics{
    {"delta_rule", &run_delta<T>},
    {"gated_delta_rule", &run_delta<T>},
    {"gated_linear_attention", &run_adding<T>},
    {"mamba_selective_scan", &run_mamba<T>},
    {"positions", &run_positions<T>},
    {"retnet", &run_retnet<T>},
    {"rwkv_wkv", &run_rwkv<T>},
    {"simple_gla", &run_adding<T>},
};

}  // namespace

template <typename T>
const std::map<std::string, Topic<T>>& mixer_topics() {
  return kTopics<T>;
}
template const std::map<std::string, Topic<float>>& mixer_topics<float>();
template const std::map<std::string, Topic<double>>& mixer_topics<double>();

}  // namespace attn::golden
