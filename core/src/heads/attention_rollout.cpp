#include "attn/heads/attention_rollout.hpp"

#include <algorithm>
#include <limits>

#include "base/product.hpp"
#include "heads/shared.hpp"

namespace attn {
namespace {

/// What one layer does to the positions, with the residual stream.
template <typename T>
std::vector<Matrix<double>> layers_with_residual(std::span<const std::vector<Matrix<T>>> layers,
                                                 double residual) {
  std::vector<Matrix<double>> made;
  for (const std::vector<Matrix<T>>& heads : layers) {
    const Index n = heads[0].rows();
    Matrix<double> mean = Matrix<double>::Zero(n, n);
    for (const Matrix<T>& A : heads) mean += A.template cast<double>();
    mean *= (1 - residual) / static_cast<double>(heads.size());
    mean.diagonal().array() += residual;
    made.push_back(std::move(mean));
  }
  return made;
}

template <typename T>
void require_layers(std::span<const std::vector<Matrix<T>>> layers, const RolloutOptions& options) {
  if (layers.empty()) throw ShapeError("layers", phrase::none, phrase::at_least_one);
  for (const std::vector<Matrix<T>>& heads : layers) {
    internal::require_square_weights<T>("layers", heads);
    require_shape<T>("layers", heads[0], layers[0][0].rows(), layers[0][0].cols(),
                     phrase::shape_of_first_head);
  }
  if (!(options.residual >= 0 && options.residual <= 1)) {
    throw ValueError("residual", phrase::number(options.residual), phrase::number_between(0, 1));
  }
  options.mask.require_fits(layers[0][0].rows(), layers[0][0].cols());
}

std::vector<Matrix<double>> uniform_layers(std::size_t count, Index n,
                                           const RolloutOptions& options) {
  const std::vector<std::vector<Matrix<double>>> layers(
      count, {internal::uniform_weights<double>(n, n, options.mask)});
  return layers_with_residual<double>(layers, options.residual);
}

template <typename T>
std::vector<Matrix<T>> products(const std::vector<Matrix<double>>& layers) {
  std::vector<Matrix<T>> made;
  Matrix<double> so_far = layers[0];
  for (std::size_t l = 0; l < layers.size(); ++l) {
    if (l > 0) so_far = internal::product_nn<double>(layers[l], so_far);
    made.push_back(so_far.template cast<T>());
  }
  return made;
}

/// The largest flow from (last layer, i) to (input, j). Node l·n + i is position i before layer l.
class Flow {
 public:
  explicit Flow(const std::vector<Matrix<double>>& layers)
      : layers_(layers),
        n_(layers[0].rows()),
        count_(static_cast<Index>(layers.size())),
        level_(static_cast<std::size_t>((count_ + 1) * n_)),
        next_(level_.size()) {}

  double between(Index from, Index to) {
    down_ = layers_;
    up_.assign(layers_.size(), Matrix<double>::Zero(n_, n_));
    source_ = count_ * n_ + from;
    sink_ = to;
    double flow = 0;
    while (find_levels()) {
      std::fill(next_.begin(), next_.end(), 0);
      for (double more = push(source_, std::numeric_limits<double>::infinity()); more > 0;
           more = push(source_, std::numeric_limits<double>::infinity())) {
        flow += more;
      }
    }
    return flow;
  }

 private:
  /// What rounding leaves of an edge that is full.
  static constexpr double kNothing = 1e-14;

  /// The capacity that is left to neighbour k of a node: 0 … n−1 a layer down, n … 2n−1 up again.
  double& left(Index node, Index k) {
    const Index layer = node / n_, i = node % n_;
    return k < n_ ? down_[static_cast<std::size_t>(layer - 1)](i, k)
                  : up_[static_cast<std::size_t>(layer)](k - n_, i);
  }
  double& back(Index node, Index k) {
    const Index layer = node / n_, i = node % n_;
    return k < n_ ? up_[static_cast<std::size_t>(layer - 1)](i, k)
                  : down_[static_cast<std::size_t>(layer)](k - n_, i);
  }
  Index neighbour(Index node, Index k) const {
    const Index layer = node / n_;
    return k < n_ ? (layer - 1) * n_ + k : (layer + 1) * n_ + k - n_;
  }
  Index first(Index node) const { return node < n_ ? n_ : 0; }
  Index last(Index node) const { return node / n_ == count_ ? n_ : 2 * n_; }

  bool find_levels() {
    std::fill(level_.begin(), level_.end(), -1);
    level_[static_cast<std::size_t>(source_)] = 0;
    queue_.assign(1, source_);
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const Index node = queue_[at];
      for (Index k = first(node); k < last(node); ++k) {
        const Index other = neighbour(node, k);
        if (level_[static_cast<std::size_t>(other)] >= 0 || !(left(node, k) > kNothing)) continue;
        level_[static_cast<std::size_t>(other)] = level_[static_cast<std::size_t>(node)] + 1;
        queue_.push_back(other);
      }
    }
    return level_[static_cast<std::size_t>(sink_)] >= 0;
  }

  /// Recursion is as deep as a path is long, at most as many nodes as there are.
  double push(Index node, double most) {
    if (node == sink_) return most;
    Index& k = next_[static_cast<std::size_t>(node)];
    for (k = std::max(k, first(node)); k < last(node); ++k) {
      const Index other = neighbour(node, k);
      if (level_[static_cast<std::size_t>(other)] != level_[static_cast<std::size_t>(node)] + 1 ||
          !(left(node, k) > kNothing)) {
        continue;
      }
      const double pushed = push(other, std::min(most, left(node, k)));
      if (pushed > 0) {
        left(node, k) -= pushed;
        back(node, k) += pushed;
        return pushed;
      }
    }
    return 0;
  }

  const std::vector<Matrix<double>>& layers_;
  std::vector<Matrix<double>> down_, up_;
  Index n_, count_, source_ = 0, sink_ = 0;
  std::vector<Index> level_, next_, queue_;
};

}  // namespace

template <typename T>
RolloutResult<T> attention_rollout(std::span<const std::vector<Matrix<T>>> layers,
                                   const RolloutOptions& options) {
  require_layers<T>(layers, options);
  return {products<T>(layers_with_residual<T>(layers, options.residual)),
          products<T>(uniform_layers(layers.size(), layers[0][0].rows(), options))};
}

template <typename T>
AttentionFlow<T>::AttentionFlow(std::span<const std::vector<Matrix<T>>> layers,
                                const RolloutOptions& options) {
  require_layers<T>(layers, options);
  n_ = layers[0][0].rows();
  const Index edges = static_cast<Index>(layers.size()) * n_ * n_;
  if (edges > kMaxFlowEdges) {
    throw CapacityError("layers", phrase::entries_seen(edges), phrase::at_most(kMaxFlowEdges));
  }
  capacities_ = layers_with_residual<T>(layers, options.residual);
  uniform_ = uniform_layers(layers.size(), n_, options);
  result_.flow = result_.flow_rows = result_.uniform_rows = Matrix<T>::Zero(n_, n_);
}

template <typename T>
bool AttentionFlow<T>::step(Index rows) {
  Flow learned(capacities_), uniform(uniform_);
  for (; rows > 0 && done_ < 2 * n_; --rows, ++done_) {
    const bool even = done_ >= n_;
    const Index i = even ? done_ - n_ : done_;
    Vector<double> row(n_);
    for (Index j = 0; j < n_; ++j) row(j) = (even ? uniform : learned).between(i, j);
    if (!even) result_.flow.row(i) = row.transpose().template cast<T>();
    const double sum = row.sum();
    if (sum > 0) row /= sum;
    (even ? result_.uniform_rows : result_.flow_rows).row(i) = row.transpose().template cast<T>();
  }
  return done_ == 2 * n_;
}

template <typename T>
double AttentionFlow<T>::progress() const {
  return static_cast<double>(done_) / static_cast<double>(2 * n_);
}

#define ATTN_INSTANTIATE(T)                                                               \
  template RolloutResult<T> attention_rollout<T>(std::span<const std::vector<Matrix<T>>>, \
                                                 const RolloutOptions&);                  \
  template class AttentionFlow<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
