#include "attn/models/nearest_key.hpp"

#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"

namespace attn {
namespace {

/// Step i draws from stream kNearestSteps + i; what is held out from kNearestHeldOut on.
constexpr std::uint64_t kNearestSteps = std::uint64_t{1} << 34,
                        kNearestHeldOut = std::uint64_t{1} << 35;
/// As many sets decide what was learned.
constexpr Index kHeldOutSets = 64;

/// Keys and queries, and which key each query wants.
template <typename T>
struct KeySet {
  Matrix<T> keys, queries, wanted;
  std::vector<std::int32_t> nearest;
};

template <typename T>
Matrix<T> on_sphere(Index rows, Index cols, Rng& rng) {
  Matrix<T> made(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) made(i, j) = static_cast<T>(rng.gaussian());
    made.row(i).normalize();
  }
  return made;
}

template <typename T>
KeySet<T> draw_keys(const NearestKeyOptions& options, Rng& rng) {
  KeySet<T> made;
  made.keys = on_sphere<T>(options.keys, options.d_model, rng);
  made.queries = on_sphere<T>(options.queries, options.d_model, rng);
  made.wanted.resize(options.queries, options.d_model);
  const Matrix<T> products = made.queries * made.keys.transpose();
  for (Index i = 0; i < options.queries; ++i) {
    Index best = 0;
    products.row(i).maxCoeff(&best);
    made.nearest.push_back(static_cast<std::int32_t>(best));
    made.wanted.row(i) = made.keys.row(best);
  }
  return made;
}

/// How many of the answers are nearer to the wanted key than to any other.
template <typename T>
Index right_of(const Matrix<T>& answers, const KeySet<T>& set) {
  const Matrix<T> products = answers * set.keys.transpose();
  Index right = 0;
  for (Index i = 0; i < products.rows(); ++i) {
    Index best = 0;
    products.row(i).maxCoeff(&best);
    if (best == set.nearest[static_cast<std::size_t>(i)]) ++right;
  }
  return right;
}

ParameterTable table_of(const NearestKeyOptions& options) {
  const auto within = [](const char* name, Index value, Index least, Index most) {
    if (value < least) throw ValueError(name, phrase::number(value), phrase::at_least(least));
    if (value > most) throw CapacityError(name, phrase::number(value), phrase::at_most(most));
  };
  within("d_model", options.d_model, 1, 64);
  within("keys", options.keys, 2, 64);
  within("queries", options.queries, 1, 64);
  within("steps", options.steps, 1, 10000);
  within("batch", options.batch, 1, 256);
  require_heads(options.d_model, options.heads, options.heads);
  ParameterTable table;
  for (const char* name : {"Wq", "Wk", "Wv", "Wo"}) {
    table.add_matrix(name, options.d_model, options.d_model);
  }
  return table;
}

AdamWOptions optimizer_of(const NearestKeyOptions& options) {
  AdamWOptions made;
  made.learning_rate = options.learning_rate;
  made.weight_decay = 0;
  return made;
}

}  // namespace

template <typename T>
NearestKeyTraining<T>::NearestKeyTraining(const NearestKeyOptions& options)
    : options_(options),
      training_(table_of(options), options.seed, options.steps, optimizer_of(options)) {
  result_.chance = 1 / static_cast<double>(options.keys);
  result_.parameters = training_.parameters();
}

template <typename T>
void NearestKeyTraining<T>::learn() {
  Rng rng(options_.seed, kNearestSteps + static_cast<std::uint64_t>(training_.finished()));
  const MultiHeadWeights<T> layer = training_.layer(options_.heads);
  const double all = static_cast<double>(options_.batch * options_.queries);
  double loss = 0, right = 0;
  for (Index b = 0; b < options_.batch; ++b) {
    const KeySet<T> set = draw_keys<T>(options_, rng);
    const Matrix<T> missing =
        multi_head_attention<T>(set.queries, set.keys, set.keys, layer).output - set.wanted;
    loss += static_cast<double>(missing.squaredNorm());
    right += static_cast<double>(right_of<T>(missing + set.wanted, set));
    const Matrix<T> d_output = missing * static_cast<T>(2 / all);
    const auto back =
        multi_head_attention_backward<T>(set.queries, set.keys, set.keys, d_output, layer);
    training_.add_gradients(back.d_weights);
  }
  training_.update();
  result_.loss.push_back(loss / all);
  result_.accuracy.push_back(right / all);
}

template <typename T>
void NearestKeyTraining<T>::measure() {
  const MultiHeadWeights<T> layer = training_.layer(options_.heads);
  const double all = static_cast<double>(kHeldOutSets * options_.queries);
  double loss = 0, right = 0, weight = 0;
  for (Index s = 0; s < kHeldOutSets; ++s) {
    Rng rng(options_.seed, kNearestHeldOut + static_cast<std::uint64_t>(s));
    const KeySet<T> set = draw_keys<T>(options_, rng);
    const auto made = multi_head_attention<T>(set.queries, set.keys, set.keys, layer);
    loss += static_cast<double>((made.output - set.wanted).squaredNorm());
    right += static_cast<double>(right_of<T>(made.output, set));
    for (const Matrix<T>& P : made.heads.weights) {
      for (Index i = 0; i < options_.queries; ++i) {
        weight += static_cast<double>(P(i, set.nearest[static_cast<std::size_t>(i)]));
      }
    }
    if (s > 0) continue;
    result_.nearest = set.nearest;
    for (const Matrix<T>& P : made.heads.weights) {
      result_.weights.push_back(P.template cast<float>());
    }
  }
  result_.held_out_loss = loss / all;
  result_.held_out_accuracy = right / all;
  result_.weight_on_nearest = weight / (all * static_cast<double>(options_.heads));
}

template <typename T>
bool NearestKeyTraining<T>::step(Index steps) {
  if (training_.done()) return true;
  for (Index i = 0; i < steps && !training_.done(); ++i) learn();
  if (!training_.done()) return false;
  measure();
  return true;
}

template class NearestKeyTraining<float>;
template class NearestKeyTraining<double>;

}  // namespace attn
