#include "head_topics.hpp"

#include "attn/heads/attention_rollout.hpp"
#include "attn/heads/head_circuits.hpp"
#include "attn/heads/head_distance.hpp"
#include "attn/heads/head_scores.hpp"

namespace attn::golden {
namespace {

/// The matrices of an input of shape [heads, n, m], or of [outer, heads, n, m] for one of the
/// outer.
template <typename T>
std::vector<Matrix<T>> matrices_of(const Case<T>& c, const char* name, Index outer = 0) {
  const std::vector<Index> shape = shape_of(c.input(name));
  const std::vector<double> data = numbers(c.input(name));
  const Index cols = shape.back(), rows = shape[shape.size() - 2], heads = shape[shape.size() - 3];
  std::vector<Matrix<T>> made;
  for (Index h = 0; h < heads; ++h) {
    const Index first = (outer * heads + h) * rows * cols;
    Matrix<T> one(rows, cols);
    for (Index i = 0; i < one.size(); ++i) {
      one.data()[i] = static_cast<T>(data[static_cast<std::size_t>(first + i)]);
    }
    made.push_back(std::move(one));
  }
  return made;
}

template <typename T>
std::vector<std::vector<Matrix<T>>> lists_of(const Case<T>& c, const char* name) {
  std::vector<std::vector<Matrix<T>>> made;
  for (Index i = 0; i < shape_of(c.input(name)).front(); ++i) {
    made.push_back(matrices_of(c, name, i));
  }
  return made;
}

template <typename T>
Mask mask_of(const Case<T>& c) {
  return c.param("causal", 0) != 0 ? Mask::causal() : Mask::full();
}

struct NamedScore {
  const char* name;
  double HeadScores::*score;
};
constexpr NamedScore kScores[] = {{"previous_token", &HeadScores::previous_token},
                                  {"current_token", &HeadScores::current_token},
                                  {"first_token", &HeadScores::first_token},
                                  {"duplicate_token", &HeadScores::duplicate_token},
                                  {"induction", &HeadScores::induction},
                                  {"match_mass", &HeadScores::match_mass},
                                  {"entropy", &HeadScores::entropy},
                                  {"mean_distance", &HeadScores::mean_distance},
                                  {"confidence", &HeadScores::confidence}};

template <typename T>
void run_head_scores(Case<T>& c, const Json&) {
  c.require_known({"n", "heads", "causal", "first_tokens"}, {"A", "tokens", "texts"});
  std::vector<std::int32_t> tokens;
  for (const double one : numbers(c.input("tokens"))) {
    tokens.push_back(static_cast<std::int32_t>(one));
  }
  const HeadScoresResult made =
      head_scores<T>(matrices_of(c, "A"), tokens, {mask_of(c), /*shuffles=*/2, /*seed=*/0});
  for (const auto& [name, score] : kScores) {
    std::vector<double> got;
    for (const ScoredHead& head : made.heads) got.push_back(head.scores.*score);
    c.check(name, got);
    c.check(std::string("uniform_") + name, {made.uniform.*score});
  }
  if (!c.has_input("texts")) return;
  const auto first_tokens = static_cast<Index>(c.param("first_tokens", 0));
  c.check("variability",
          head_variability<T>(lists_of(c, "texts"), first_tokens, mask_of(c)).variability);
}

template <typename T>
void run_head_distance(Case<T>& c, const Json&) {
  std::vector<std::vector<Matrix<T>>> texts;
  std::set<std::string> names;
  for (Index t = 0; t < static_cast<Index>(c.param("texts", 0)); ++t) {
    const std::string name = "A_" + std::to_string(t);
    names.insert(name);
    texts.push_back(matrices_of(c, name.c_str()));
  }
  c.require_known({"texts", "heads", "smoothing"}, names);
  const HeadDistances made = head_distances<T>(texts, {c.param("smoothing", 0), Mask::full()});
  c.check("js", flat<double>(made.js));
  c.check("merges", flat<double>(made.merges));
  c.check("leaf_order", std::vector<double>(made.leaf_order.begin(), made.leaf_order.end()));
}

template <typename T>
void run_attention_rollout(Case<T>& c, const Json&) {
  c.require_known({"layers", "heads", "n", "residual"}, {"A"});
  const auto layers = lists_of(c, "A");
  const RolloutOptions options{c.param("residual", 0), Mask::full()};
  c.check("rollout", stacked(attention_rollout<T>(layers, options).rollout));
  AttentionFlow<T> flow(layers, options);
  while (!flow.step(1)) continue;
  c.check("flow", flat<T>(flow.result().flow));
  c.check("flow_rows", flat<T>(flow.result().flow_rows));
}

template <typename T>
void run_norm_based(Case<T>& c, const Json&) {
  c.require_known({"n", "m", "heads", "d_model", "d_out", "d_v"}, {"A", "X", "Wv", "Wo", "bv"});
  const WeightedNorms<T> made = norm_weighted_attention<T>(
      matrices_of(c, "A"), c.matrix("X"), c.matrix("Wv"), c.matrix("Wo"), c.vector("bv"));
  c.check("value_norm", flat<T>(made.value_norm));
  c.check("norm", stacked(made.norm));
  c.check("norm_sum", flat<T>(made.norm_sum));
  c.check("out", flat<T>(made.output));
}

template <typename T>
void run_qk_symmetry(Case<T>& c, const Json&) {
  c.require_known({"heads", "kv_heads", "d_model", "d_head"}, {"Wq", "Wk"});
  const QkSymmetry made =
      qk_symmetry<T>(c.matrix("Wq"), c.matrix("Wk"), static_cast<Index>(c.param("heads", 0)),
                     static_cast<Index>(c.param("kv_heads", 0)));
  c.check("symmetry", made.symmetry);
  c.check("norm2", flat<double>(made.norm2));
}

template <typename T>
const std::map<std::string, Topic<T>> kTopics{
    {"attention_rollout", &run_attention_rollout<T>},
    {"head_distance", &run_head_distance<T>},
    {"head_scores", &run_head_scores<T>},
    {"norm_based", &run_norm_based<T>},
    {"qk_symmetry", &run_qk_symmetry<T>},
};

}  // namespace

template <typename T>
const std::map<std::string, Topic<T>>& head_topics() {
  return kTopics<T>;
}
template const std::map<std::string, Topic<float>>& head_topics<float>();
template const std::map<std::string, Topic<double>>& head_topics<double>();

}  // namespace attn::golden
