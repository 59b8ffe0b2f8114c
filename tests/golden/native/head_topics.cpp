#include "head_topics.hpp"

#include "attn/attention/head_grouping.hpp"
#include "attn/heads/attention_rollout.hpp"
#include "attn/heads/head_circuits.hpp"
#include "attn/heads/head_distance.hpp"
#include "attn/heads/head_importance.hpp"
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
MultiHeadWeights<T> layer_of(const Case<T>& c, Index heads) {
  return {heads,          heads,          c.matrix("Wq"), c.matrix("Wk"), c.matrix("Wv"),
          c.matrix("Wo"), c.vector("bq"), c.vector("bk"), c.vector("bv"), c.vector("bo")};
}

template <typename T>
void run_head_importance(Case<T>& c, const Json&) {
  c.require_known({"kind", "examples", "heads", "n", "d_v", "d_model", "d_head", "causal"},
                  {"heads", "Wo", "bo", "G", "X", "Wq", "Wk", "Wv", "bq", "bk", "bv"});
  const std::string kind = c.params().at("kind").template get<std::string>();
  std::vector<std::vector<Matrix<T>>> heads;
  if (kind == "heads_given") {
    heads = lists_of(c, "heads");
  } else if (kind == "layer") {
    const auto count = static_cast<Index>(c.param("heads", 0));
    HeadsOptions<T> options;
    options.mask = mask_of(c);
    const Matrix<T> mixed =
        multi_head_attention<T>(c.matrix("X"), layer_of(c, count), options).heads.output;
    const Index d_v = mixed.cols() / count;
    heads.emplace_back();
    for (Index h = 0; h < count; ++h) heads[0].push_back(mixed.middleCols(h * d_v, d_v));
    c.check("head_outputs", stacked(heads[0]));
  } else {
    throw NotImplemented("kind " + kind);
  }
  // [examples, n, d_model] is read as [heads, n, m].
  const LayerImportance made =
      head_importance<T>(heads, c.matrix("Wo"), matrices_of(c, "G"), c.vector("bo"));
  c.check("loss", made.loss);
  c.check("gate_gradient", flat<double>(made.gate_gradient));
  c.check("loss_without_head", flat<double>(made.loss_without_head));
  c.check("importance", made.scores.importance);
  c.check("importance_unit", made.scores.importance_unit);
  c.check("importance_per_token", made.scores.importance_per_token);
  const AblatedHeads<T> ablated = ablated_heads<T>(heads, c.matrix("Wo"), c.vector("bo")).front();
  c.check("out", flat<T>(ablated.output));
  c.check("out_zero", stacked(ablated.zero));
  c.check("out_mean", stacked(ablated.mean));
}

template <typename T>
void run_gqa_from_mha(Case<T>& c, const Json&) {
  c.require_known(
      {"n", "d_model", "heads", "kv_heads", "d_head", "d_v", "causal", "cache_numbers_per_token"},
      {"X", "Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo"});
  HeadsOptions<T> options;
  options.mask = mask_of(c);
  const HeadGrouping<T> made =
      group_heads<T>(c.matrix("X"), layer_of(c, static_cast<Index>(c.param("heads", 0))),
                     static_cast<Index>(c.param("kv_heads", 0)), options);
  c.check("Wk_pooled", flat<T>(made.weights.Wk));
  c.check("Wv_pooled", flat<T>(made.weights.Wv));
  c.check("bk_pooled", flat<T>(made.weights.bk));
  c.check("bv_pooled", flat<T>(made.weights.bv));
  c.check("out_mha", flat<T>(made.before));
  c.check("out_gqa", flat<T>(made.after));
  c.check("weights_gqa", stacked(made.attention));
  c.check("relative_change", {made.relative_change});
  const std::vector<std::uint64_t> cached{made.cached_before, made.cached_after};
  if (c.params().at("cache_numbers_per_token").template get<std::vector<std::uint64_t>>() !=
      cached) {
    c.fail("cache_numbers_per_token");
  }
}

template <typename T>
const std::map<std::string, Topic<T>> kTopics{
    {"attention_rollout", &run_attention_rollout<T>},
    {"gqa_from_mha", &run_gqa_from_mha<T>},
    {"head_distance", &run_head_distance<T>},
    {"head_importance", &run_head_importance<T>},
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
