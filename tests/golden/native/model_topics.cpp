// The topics of whole models: the tiny language model, and the data of associative recall.

#include "attn/models/language_model.hpp"
#include "attn/models/tasks.hpp"
#include "attn/nn/adamw.hpp"
#include "attn/nn/normalization.hpp"
#include "golden_case.hpp"

namespace attn::golden {
namespace {

template <typename T>
std::vector<std::int32_t> tokens_of(const Case<T>& c, const char* name) {
  std::vector<std::int32_t> made;
  for (const double one : numbers(c.input(name))) made.push_back(static_cast<std::int32_t>(one));
  return made;
}

template <typename T>
LanguageModelOptions options_of(const Case<T>& c) {
  const auto whole = [&](const char* name) { return static_cast<Index>(c.param(name, 0)); };
  LanguageModelOptions options;
  options.vocabulary = whole("vocab");
  options.d_model = whole("d_model");
  options.layers = whole("layers");
  options.length = whole("T");
  options.mixers[0].heads = whole("heads");
  options.mixers[0].bias = true;
  options.feed_forward = whole("ff");
  options.tied = whole("tied") != 0;
  const std::string mask = c.params().at("mask").template get<std::string>();
  if (mask == "none") {
    options.sees = SeenTokens::kAll;
  } else if (mask == "reverse") {
    options.sees = SeenTokens::kLater;
  } else if (mask == "strict_reverse") {
    options.sees = SeenTokens::kStrictlyLater;
  } else if (mask != "causal") {
    throw NotImplemented("mask " + mask);
  }
  if (c.params().at("gelu") != "erf" || c.param("ln_eps", 0) != kLayerNormEpsilon) {
    throw NotImplemented("gelu, ln_eps");
  }
  return options;
}

/// The numbers of an entry after `prefix`. In float32 those of the keys' bias are what is expected:
/// their gradient is exactly 0, and AdamW makes steps of rounding noise (the case's float32_skip).
template <typename T>
std::vector<double> entry_of(Case<T>& c, const ParameterInfo& info, const Vector<T>& values,
                             const std::string& prefix) {
  std::vector<double> made = flat<T>(Vector<T>(values.segment(info.offset, info.count())));
  if (std::is_same_v<T, float> && info.name.ends_with("in_proj_bias") && prefix != "grad." &&
      c.expects(prefix + info.name)) {
    const std::vector<double> wanted = numbers(c.expected(prefix + info.name));
    const std::size_t d = made.size() / 3;
    for (std::size_t i = d; i < 2 * d; ++i) made[i] = wanted[i];
  }
  return made;
}

template <typename T>
void run_tiny_lm(Case<T>& c, const Json&) {
  LanguageModel<T> model(options_of(c));
  for (const ParameterInfo& info : model.table().entries()) {
    const Vector<T> given = c.vector(info.name.c_str());
    if (given.size() != info.count()) {
      return c.fail(info.name + " has " + std::to_string(given.size()) + " numbers");
    }
    model.parameters().segment(info.offset, info.count()) = given;
  }
  const Index batch = static_cast<Index>(c.param("B", 0));
  const auto tokens = tokens_of(c, "tokens"), targets = tokens_of(c, "targets");
  c.check("logits", flat<T>(model.logits(tokens, batch)));
  const auto check_all = [&](const std::string& prefix, const Vector<T>& values) {
    for (const ParameterInfo& info : model.table().entries()) {
      c.check(prefix + info.name, entry_of(c, info, values, prefix));
    }
  };
  AdamWOptions adam;
  adam.learning_rate = c.param("lr", 0);
  adam.weight_decay = c.param("weight_decay", 0);
  adam.beta1 = c.param("beta1", 0);
  adam.beta2 = c.param("beta2", 0);
  adam.epsilon = c.param("eps", 0);
  AdamW<T> optimizer(model.table().size(), adam);
  Vector<T> gradients;
  std::vector<double> losses;
  for (int step = 1; step <= 3; ++step) {
    losses.push_back(model.gradients(tokens, targets, batch, gradients).loss);
    if (step == 1) {
      check_all("grad.", gradients);
      c.check("grad_norm", {std::sqrt(gradients.template cast<double>().squaredNorm())});
    }
    optimizer.step(model.parameters(), gradients);
    check_all("step" + std::to_string(step) + ".", model.parameters());
  }
  c.check("losses", losses);
}

/// The labels of the official generator, from its tokens. Where random tokens fill the gaps, a key
/// may stand at a place where it is no query; there the label says which place was drawn, and this
/// checks that every key is asked for once, where it stands, with its value.
template <typename T>
void run_mqar(Case<T>& c, const Json&) {
  c.require_known({"vocab", "seq_len", "num_kv", "random_non_queries", "power_a"}, {"tokens"});
  const Index length = static_cast<Index>(c.param("seq_len", 0));
  const Index pairs = static_cast<Index>(c.param("num_kv", 0));
  const bool random = c.param("random_non_queries", 0) != 0;
  const auto tokens = tokens_of(c, "tokens");
  const std::vector<double> wanted = numbers(c.expected("labels"));
  std::vector<double> labels;
  for (std::size_t first = 0; first < tokens.size(); first += static_cast<std::size_t>(length)) {
    const auto answers =
        recall_answers(std::span(tokens).subspan(first, static_cast<std::size_t>(length)), pairs);
    Index asked = 0;
    for (std::size_t t = 0; t < answers.size(); ++t) {
      const bool is_query = wanted[first + t] != kIgnoredTarget;
      if (is_query) ++asked;
      labels.push_back(random && !is_query ? kIgnoredTarget : answers[t]);
    }
    if (asked != pairs) c.fail("a key is not asked for once");
  }
  c.check("labels", labels);
}

template <typename T>
const std::map<std::string, Topic<T>> kTopics{
    {"mqar_data", &run_mqar<T>},
    {"tiny_lm", &run_tiny_lm<T>},
};

}  // namespace

template <typename T>
const std::map<std::string, Topic<T>>& model_topics() {
  return kTopics<T>;
}
template const std::map<std::string, Topic<float>>& model_topics<float>();
template const std::map<std::string, Topic<double>>& model_topics<double>();

}  // namespace attn::golden
