#include "attn/models/head_surgery.hpp"

#include <Eigen/Eigenvalues>
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

/// One entry of options for each layer.
std::vector<SequenceMixerOptions> mixers_of(const LanguageModelOptions& options) {
  if (options.mixers.size() > 1) return options.mixers;
  return {static_cast<std::size_t>(options.layers), options.mixers[0]};
}

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The unit eigenvectors of a symmetric matrix for its largest eigenvalues, as columns.
MatrixXd largest_eigenvectors(const MatrixXd& symmetric, Index count) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(symmetric);
  return solver.eigenvectors().rightCols(count).rowwise().reverse();
}

/// The projections of a softmax layer and the norm before it, in float64.
struct RotaryLayer {
  Index heads, d_k, d_v;
  /// heads·d_k×d_model, heads·d_k×d_model, heads·d_v×d_model
  MatrixXd q, k, v;
  /// d_model: the gains and the biases of the norm.
  VectorXd gain, bias;

  Index d_model() const { return q.cols(); }
};

/// What latent attention has for it, but the output's projection, which stays.
struct LatentLayer {
  MatrixXd q, kv_down, kv_up;
  VectorXd kv_norm;
};

/// One entry of the keys or queries of all heads, heads×d_model; c and c + d_k/2 are a pair.
MatrixXd entries_of(const MatrixXd& rows, Index heads, Index entry) {
  const Index d_k = rows.rows() / heads;
  MatrixXd made(heads, rows.cols());
  for (Index h = 0; h < heads; ++h) made.row(h) = rows.row(h * d_k + entry);
  return made;
}

/// One key for a pair of all heads. With complex numbers for pairs, rotation is a product; head h's
/// keys are the row k_h of a matrix, and κ = uᴴ(s ∘ k) with its first left singular vector u makes
/// u_h/s_h·κ the nearest multiples. (q̄ · u/s κ = (ū/s q)‾ · κ: the query takes the factor.)
struct SharedPair {
  /// 2×d_model
  MatrixXd key;
  /// heads×d_model: the two entries of each head's query.
  MatrixXd first, second;
};
SharedPair share_pair(const RotaryLayer& layer, Index pair) {
  const Index h = layer.heads, half = layer.d_k / 2;
  const MatrixXd q_re = entries_of(layer.q, h, pair), q_im = entries_of(layer.q, h, pair + half);
  const auto seen = layer.gain.asDiagonal();
  // How large each head's queries are; a head without any has nothing to lose.
  const VectorXd size =
      ((q_re * seen).rowwise().squaredNorm() + (q_im * seen).rowwise().squaredNorm()).cwiseSqrt();
  const MatrixXd re = size.asDiagonal() * entries_of(layer.k, h, pair),
                 im = size.asDiagonal() * entries_of(layer.k, h, pair + half);
  // The Hermitian matrix A + iB as a real one, whose eigenvectors are (Re u, Im u).
  const MatrixXd seen_re = re * seen, seen_im = im * seen;
  const MatrixXd A = seen_re * seen_re.transpose() + seen_im * seen_im.transpose(),
                 B = seen_im * seen_re.transpose() - seen_re * seen_im.transpose();
  MatrixXd whole(2 * h, 2 * h);
  whole << A, -B, B, A;
  const MatrixXd u = largest_eigenvectors(whole, 1);
  const VectorXd a = u.col(0).head(h), b = u.col(0).tail(h);
  SharedPair made;
  made.key.resize(2, layer.d_model());
  made.key.row(0) = a.transpose() * re + b.transpose() * im;
  made.key.row(1) = a.transpose() * im - b.transpose() * re;
  const VectorXd scale = (size.array() > 0).select(size.cwiseInverse(), 0);
  const VectorXd turn_re = scale.cwiseProduct(a), turn_im = scale.cwiseProduct(b);
  made.first = turn_re.asDiagonal() * q_re + turn_im.asDiagonal() * q_im;
  made.second = turn_re.asDiagonal() * q_im - turn_im.asDiagonal() * q_re;
  return made;
}

/// As `latent_model_heads` says.
LatentLayer latent_layer_of(const RotaryLayer& layer, const LatentHeadsOptions& how) {
  const Index h = layer.heads, d = layer.d_model(), d_k = layer.d_k, d_v = layer.d_v,
              nope = d_k - how.rope, each = nope + d_v, every = d_k / how.rope;
  LatentLayer made{MatrixXd(h * d_k, d), MatrixXd(how.latent + how.rope, d), MatrixXd(),
                   VectorXd()};
  MatrixXd up(h * each, d);
  Index plain = 0, turned = 0;
  for (Index pair = 0; pair < d_k / 2; ++pair) {
    if (pair % every == 0) {
      const SharedPair shared = share_pair(layer, pair);
      made.kv_down.middleRows(how.latent + turned, 2) = shared.key;
      for (Index i = 0; i < h; ++i) {
        made.q.row(i * d_k + nope + turned) = shared.first.row(i);
        made.q.row(i * d_k + nope + turned + 1) = shared.second.row(i);
      }
      turned += 2;
      continue;
    }
    for (const Index entry : {pair, pair + d_k / 2}) {
      for (Index i = 0; i < h; ++i) {
        made.q.row(i * d_k + plain) = layer.q.row(i * d_k + entry);
        up.row(i * each + plain) = layer.k.row(i * d_k + entry);
      }
      ++plain;
    }
  }
  for (Index i = 0; i < h; ++i) {
    up.middleRows(i * each + nope, d_v) = layer.v.middleRows(i * d_v, d_v);
  }
  // x = gain ∘ z + bias, and the entries of z are as large as each other: c = Vᵀz is what is kept.
  const MatrixXd seen = up * layer.gain.asDiagonal();
  const MatrixXd V = largest_eigenvectors(seen.transpose() * seen, how.latent);
  const VectorXd inverse = (layer.gain.array() != 0).select(layer.gain.cwiseInverse(), 0);
  made.kv_down.topRows(how.latent) = V.transpose() * inverse.asDiagonal();
  made.kv_up = seen * V;
  // The layer divides c by its size; the gain gives back the size that is expected.
  const double size = std::sqrt((static_cast<double>(how.latent) +
                                 (made.kv_down.topRows(how.latent) * layer.bias).squaredNorm()) /
                                static_cast<double>(how.latent));
  made.kv_norm = VectorXd::Constant(how.latent, size);
  return made;
}

template <typename T>
bool can_be_latent(const SequenceMixer<T>& mixer) {
  const SequenceMixerOptions& how = mixer.options();
  return how.id == "softmax" && how.sees == SeenTokens::kEarlier && !how.bias &&
         (how.kv_heads == 0 || how.kv_heads == how.heads) && mixer.parameter("rotary") != 0 &&
         mixer.parameter("alibi") == 0;
}

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
  options.mixers = mixers_of(options);
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
LanguageModel<T> latent_model_heads(const LanguageModel<T>& model, const LatentHeadsOptions& how) {
  LanguageModelOptions options = model.options();
  options.mixers = mixers_of(options);
  if (how.latent < 1 || how.latent > options.d_model) {
    throw ValueError("latent", phrase::number(how.latent), phrase::range(1, options.d_model));
  }
  std::vector<Index> changed;
  for (Index i = 0; i < options.layers; ++i) {
    if (!can_be_latent(model.block(i).mixer())) continue;
    SequenceMixerOptions& mixer = options.mixers[static_cast<std::size_t>(i)];
    const Index d_k = mixer.d_k == 0 ? options.d_model / mixer.heads : mixer.d_k;
    if (how.rope < 2 || how.rope % 2 != 0) {
      throw ValueError("rope", phrase::number(how.rope), phrase::even_at_least(2));
    }
    if (how.rope >= d_k || d_k % how.rope != 0) {
      throw ValueError("rope", phrase::number(how.rope), phrase::divisor(d_k));
    }
    mixer.id = "mla";
    mixer.d_k = d_k - how.rope;
    mixer.kv_heads = 0;
    mixer.parameters = {{"latent", static_cast<double>(how.latent)},
                        {"rope", static_cast<double>(how.rope)}};
    changed.push_back(i);
  }
  if (changed.empty()) throw ValueError("model", phrase::none, phrase::layer_of_rotary_softmax);
  LanguageModel<T> made(options);
  for (const ParameterInfo& info : made.table().entries()) {
    if (!model.table().contains(info.name)) continue;
    edit<T>(info, made.parameters()) = view<T>(model.table().at(info.name), model.parameters());
  }
  for (const Index i : changed) {
    const std::string block = "blocks." + std::to_string(i) + ".";
    const auto old = [&](const char* name) -> MatrixXd {
      return view<T>(model.table().at(block + name), model.parameters()).template cast<double>();
    };
    const auto put = [&](const char* name, const MatrixXd& values) {
      edit<T>(made.table().at(block + name), made.parameters()) = values.template cast<T>();
    };
    const Index heads = model.block(i).mixer().options().heads, d_v = options.d_model / heads;
    const MatrixXd in = old("attn.in_proj_weight");
    const Index keys = (in.rows() - heads * d_v) / 2;
    const bool biased = model.table().contains(block + "ln1.bias");
    const VectorXd gain = old("ln1.weight").col(0);
    const VectorXd bias = biased ? VectorXd(old("ln1.bias").col(0)) : VectorXd::Zero(gain.size());
    const LatentLayer layer =
        latent_layer_of({heads, keys / heads, d_v, in.topRows(keys), in.middleRows(keys, keys),
                         in.bottomRows(heads * d_v), gain, bias},
                        how);
    put("attn.wq.weight", layer.q);
    put("attn.wkv_a.weight", layer.kv_down);
    put("attn.kv_norm.weight", layer.kv_norm);
    put("attn.wkv_b.weight", layer.kv_up);
    put("attn.wo.weight", old("attn.out_proj.weight"));
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
  template LanguageModel<T> group_model_heads<T>(const LanguageModel<T>&, Index);                 \
  template LanguageModel<T> latent_model_heads<T>(const LanguageModel<T>&,                        \
                                                  const LatentHeadsOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
