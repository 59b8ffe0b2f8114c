#include "attn/models/head_surgery.hpp"

#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "attention/head_pooling.hpp"
#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/models/phrases.hpp"
#include "attn/nn/cross_entropy.hpp"

namespace attn {
namespace {

constexpr Index kMostRandomOrders = 100;

void require_a_target(std::span<const std::int32_t> targets) {
  if (counted_targets(targets) == 0) {
    throw ValueError("targets", phrase::none, phrase::a_target_that_counts);
  }
}

/// The mixers that have heads of keys and values which several query heads can read.
bool shares_keys(std::string_view id) { return id == "softmax" || id == "sliding_window"; }

}  // namespace

template <typename T>
ModelHeadImportance model_head_importance(const LanguageModel<T>& model,
                                          std::span<const std::int32_t> tokens,
                                          std::span<const std::int32_t> targets, Index batch,
                                          const ModelGates<T>& gates) {
  const GateGradients<T> made = model.gate_gradients(tokens, targets, batch, gates);
  require_a_target(targets);
  ModelHeadImportance result{made.losses, {}};
  for (const Matrix<T>& parts : made.parts) {
    const Index n = parts.rows() / batch;
    std::vector<Matrix<T>> sequences;
    for (Index s = 0; s < batch; ++s) {
      if (std::isnan(made.losses[static_cast<std::size_t>(s)])) continue;
      sequences.push_back(parts.middleRows(s * n, n));
    }
    result.layers.push_back(importance_of_gates<T>(sequences));
  }
  return result;
}

template <typename T>
std::vector<HeadPlace> gated_heads(const LanguageModel<T>& model) {
  std::vector<HeadPlace> all;
  for (Index layer = 0; layer < model.layers(); ++layer) {
    const Index heads = model.block(layer).mixer().gated_heads();
    for (Index head = 0; head < heads; ++head) all.push_back({layer, head});
  }
  return all;
}

template <typename T>
LanguageModel<T> copy_of(const LanguageModel<T>& model) {
  LanguageModel<T> made(model.options());
  made.parameters() = model.parameters();
  return made;
}

template <typename T>
HeadCutting<T>::HeadCutting(const LanguageModel<T>& model, std::span<const std::int32_t> tokens,
                            std::span<const std::int32_t> targets, Index batch,
                            std::vector<std::vector<HeadPlace>> orders,
                            const CuttingOptions& options)
    : model_(copy_of(model)),
      tokens_(tokens.begin(), tokens.end()),
      targets_(targets.begin(), targets.end()),
      batch_(batch),
      orders_(std::move(orders)) {
  if (options.random_orders < 0 || options.random_orders > kMostRandomOrders) {
    throw ValueError("random_orders", phrase::number(options.random_orders),
                     phrase::range(0, kMostRandomOrders));
  }
  result_.heads = gated_heads(model_);
  if (result_.heads.empty()) {
    throw ValueError("model", phrase::none, phrase::mixer_with_gated_heads);
  }
  for (const std::vector<HeadPlace>& order : orders_) {
    std::set<std::pair<Index, Index>> seen;
    for (const HeadPlace& one : order) {
      const SequenceMixer<T>& mixer = model_.block(one.layer).mixer();
      const Index heads = mixer.gated_heads();
      if (heads == 0) {
        throw ValueError("orders", phrase::quoted(mixer.info().id), phrase::mixer_with_gated_heads);
      }
      if (one.head < 0 || one.head >= heads) {
        throw ValueError("head", phrase::number(one.head), phrase::range(0, heads - 1));
      }
      if (!seen.emplace(one.layer, one.head).second) {
        throw ValueError("orders", phrase::head_twice(one.layer, one.head), phrase::each_head_once);
      }
    }
  }
  result_.loss = model_.evaluate(tokens_, targets_, batch_).loss;
  require_a_target(targets);
  if (options.mean) means_ = model_.head_means(tokens_, batch_);
  for (Index i = 0; i < options.random_orders; ++i) {
    Rng rng(options.seed, static_cast<std::uint64_t>(i));
    std::vector<HeadPlace> order = result_.heads;
    for (std::size_t last = order.size(); last > 1; --last) {
      std::swap(order[last - 1], order[static_cast<std::size_t>(rng.below(last))]);
    }
    result_.random_orders.push_back(std::move(order));
  }
  result_.losses.resize(orders_.size());
  result_.random_losses.resize(result_.random_orders.size());
  passes_ = static_cast<Index>(result_.heads.size());
  for (const auto* all : {&orders_, &result_.random_orders}) {
    for (const auto& order : *all) passes_ += static_cast<Index>(order.size());
  }
}

template <typename T>
double HeadCutting<T>::loss_without(std::span<const HeadPlace> cut) const {
  ModelGates<T> gates{{}, means_};
  for (const HeadPlace& one : cut) gates.heads.push_back({one.layer, one.head, 0});
  return model_.evaluate(tokens_, targets_, batch_, gates).loss;
}

template <typename T>
bool HeadCutting<T>::step(Index passes) {
  // One pass after the other: the given orders, the random ones, each head alone.
  const auto next = [&](const std::vector<std::vector<HeadPlace>>& all,
                        std::vector<std::vector<double>>& losses) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (losses[i].size() == all[i].size()) continue;
      losses[i].push_back(loss_without(std::span(all[i]).first(losses[i].size() + 1)));
      return true;
    }
    return false;
  };
  for (Index i = 0; i < passes && done_ < passes_; ++i) {
    if (!next(orders_, result_.losses) && !next(result_.random_orders, result_.random_losses)) {
      result_.alone.push_back(
          loss_without(std::span(result_.heads).subspan(result_.alone.size(), 1)));
    }
    ++done_;
  }
  return done_ == passes_;
}

template <typename T>
double HeadCutting<T>::progress() const {
  return static_cast<double>(done_) / static_cast<double>(passes_);
}

template <typename T>
LanguageModel<T> group_model_heads(const LanguageModel<T>& model, Index kv_heads) {
  LanguageModelOptions options = model.options();
  if (options.mixers.size() == 1) {
    options.mixers.resize(static_cast<std::size_t>(options.layers), options.mixers[0]);
  }
  bool any = false;
  std::vector<Index> before;
  for (SequenceMixerOptions& mixer : options.mixers) {
    before.push_back(mixer.kv_heads == 0 ? mixer.heads : mixer.kv_heads);
    if (!shares_keys(mixer.id)) continue;
    if (kv_heads < 1 || before.back() % kv_heads != 0) {
      throw ValueError("kv_heads", phrase::number(kv_heads), phrase::divisor(before.back()));
    }
    mixer.kv_heads = kv_heads;
    any = true;
  }
  if (!any) throw ValueError("model", phrase::none, phrase::layer_that_shares_keys);
  LanguageModel<T> made(options);
  Vector<T>& parameters = made.parameters();
  for (const ParameterInfo& info : made.table().entries()) {
    const ParameterInfo& from = model.table().at(info.name);
    const auto old = view<T>(from, model.parameters());
    auto now = edit<T>(info, parameters);
    if (info.rows == from.rows) {
      now = old;
      continue;
    }
    // Of the projection of queries, keys and values, or its bias: "blocks.3.attn.in_proj_…".
    constexpr std::string_view kPrefix = "blocks.";
    const auto layer = static_cast<std::size_t>(std::stoi(info.name.substr(kPrefix.size())));
    const SequenceMixerOptions& mixer = options.mixers[layer];
    const Index d_v = options.d_model / mixer.heads, d_k = mixer.d_k == 0 ? d_v : mixer.d_k;
    const Index queries = mixer.heads * d_k, keys = before[layer] * d_k;
    now.topRows(queries) = old.topRows(queries);
    const Matrix<T> all_keys = old.middleRows(queries, keys),
                    all_values = old.bottomRows(before[layer] * d_v);
    now.middleRows(queries, kv_heads * d_k) =
        internal::mean_of_groups<T>(all_keys, before[layer], kv_heads);
    now.bottomRows(kv_heads * d_v) =
        internal::mean_of_groups<T>(all_values, before[layer], kv_heads);
  }
  return made;
}

template <typename T>
MapDistillation<T> distill_head(const LanguageModel<T>& model, std::span<const std::int32_t> tokens,
                                Index batch, Index layer, Index head,
                                const MapDistillationOptions& options) {
  const Mask mask = model.options().sees == SeenTokens::kEarlier ? Mask::causal() : Mask::full();
  return MapDistillation<T>(model.head_inputs(tokens, batch, layer, head), mask, options);
}

#define ATTN_INSTANTIATE(T)                                                                       \
  template ModelHeadImportance model_head_importance<T>(                                          \
      const LanguageModel<T>&, std::span<const std::int32_t>, std::span<const std::int32_t>,      \
      Index, const ModelGates<T>&);                                                               \
  template std::vector<HeadPlace> gated_heads<T>(const LanguageModel<T>&);                        \
  template LanguageModel<T> copy_of<T>(const LanguageModel<T>&);                                  \
  template MapDistillation<T> distill_head<T>(const LanguageModel<T>&,                            \
                                              std::span<const std::int32_t>, Index, Index, Index, \
                                              const MapDistillationOptions&);                     \
  template class HeadCutting<T>;                                                                  \
  template LanguageModel<T> group_model_heads<T>(const LanguageModel<T>&, Index);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
