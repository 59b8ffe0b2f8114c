#include "attn/models/block.hpp"

#include <string>

#include "attn/base/errors.hpp"
#include "attn/nn/feed_forward.hpp"
#include "attn/nn/normalization.hpp"

namespace attn {
namespace {

/// The vector of that name, or an empty one.
template <typename T>
Vector<T> vector_of(const ParameterTable& table, const std::string& name, InVector<T> values) {
  if (!table.contains(name)) return {};
  const ParameterInfo& info = table.at(name);
  return values.segment(info.offset, info.count());
}

template <typename T>
Matrix<T> matrix_of(const ParameterTable& table, const std::string& name, InVector<T> values) {
  if (!table.contains(name)) return {};
  return view<T>(table.at(name), values);
}

template <typename T>
FeedForwardWeights<T> feed_forward_of(const ParameterTable& table, InVector<T> values) {
  return {matrix_of<T>(table, "fc1.weight", values), matrix_of<T>(table, "gate.weight", values),
          matrix_of<T>(table, "fc2.weight", values), vector_of<T>(table, "fc1.bias", values),
          vector_of<T>(table, "fc2.bias", values)};
}

/// Adds a gradient at its place; nothing for one that is empty.
template <typename T, typename Gradient>
void add_at(const ParameterTable& table, const std::string& name, const Gradient& gradient,
            Eigen::Ref<Vector<T>> all) {
  if (gradient.size() == 0) return;
  const ParameterInfo& info = table.at(name);
  all.segment(info.offset, info.count()) +=
      Eigen::Map<const Vector<T>>(gradient.data(), gradient.size());
}

void add_norm(ParameterTable& table, const std::string& name, Index d, BlockNorm norm) {
  table.add_vector(name + ".weight", d, Initializer::kOnes);
  if (norm == BlockNorm::kLayer) table.add_vector(name + ".bias", d);
}

}  // namespace

template <typename T>
Block<T>::Block(const BlockOptions& options)
    : options_(options), mixer_(make_sequence_mixer<T>(options.mixer)) {
  const Index d = options.mixer.d_model, width = options.feed_forward;
  require_layer_width("feed_forward", width, 0);
  add_norm(table_, "ln1", d, options.norm);
  mixer_at_ = table_.size();
  table_.append(mixer_->parameters(), "attn.");
  if (width == 0) return;
  add_norm(table_, "ln2", d, options.norm);
  table_.add_matrix("fc1.weight", width, d);
  if (options.gated) {
    table_.add_matrix("gate.weight", width, d);
  } else {
    table_.add_vector("fc1.bias", width);
  }
  table_.add_matrix("fc2.weight", d, width);
  if (!options.gated) table_.add_vector("fc2.bias", d);
}

template <typename T>
Vector<T> Block<T>::mixer_parameters(InVector<T> parameters) const {
  return parameters.segment(mixer_at_, mixer_->parameters().size());
}

template <typename T>
Matrix<T> Block<T>::normed(In<T> X, const char* name, InVector<T> parameters) const {
  const std::string prefix = name;
  const Vector<T> weight = vector_of<T>(table_, prefix + ".weight", parameters);
  if (options_.norm == BlockNorm::kRms) return rms_norm<T>(X, weight);
  return layer_norm<T>(X, weight, vector_of<T>(table_, prefix + ".bias", parameters));
}

template <typename T>
Matrix<T> Block<T>::feed(In<T> X, InVector<T> parameters, FeedForwardRun<T>* run) const {
  return feed_forward<T>(X, feed_forward_of<T>(table_, parameters), options_.activation, run);
}

template <typename T>
Matrix<T> Block<T>::forward(In<T> X, Index sequences, InVector<T> parameters, BlockRun<T>* run,
                            const HeadGates<T>& gates) const {
  Matrix<T> mixer_input = normed(X, "ln1", parameters);
  const Index count = mixer_->parameters().size();
  Matrix<T> Y = X;
  Y += mixer_->forward(mixer_input, sequences, parameters.segment(mixer_at_, count), gates);
  Matrix<T> feed_input, middle;
  FeedForwardRun<T> inner;
  if (options_.feed_forward > 0) {
    feed_input = normed(Y, "ln2", parameters);
    if (run != nullptr) middle = Y;
    Y += feed(feed_input, parameters, run == nullptr ? nullptr : &inner);
  }
  if (run != nullptr) {
    *run = {X, std::move(mixer_input), std::move(middle), std::move(feed_input), std::move(inner)};
  }
  return Y;
}

template <typename T>
Matrix<T> Block<T>::backward(const BlockRun<T>& run, Index sequences, InVector<T> parameters,
                             In<T> dY, Eigen::Ref<Vector<std::type_identity_t<T>>> d_parameters,
                             const HeadGates<T>& gates, Matrix<T>* d_gates) const {
  Matrix<T> d = dY;
  const auto through_norm = [&](const Matrix<T>& x, const std::string& name,
                                const Matrix<T>& d_out) {
    const Vector<T> weight = vector_of<T>(table_, name + ".weight", parameters);
    const auto back = options_.norm == BlockNorm::kRms
                          ? rms_norm_backward<T>(x, weight, d_out)
                          : layer_norm_backward<T>(
                                x, weight, vector_of<T>(table_, name + ".bias", parameters), d_out);
    add_at<T>(table_, name + ".weight", back.d_weight, d_parameters);
    if (options_.norm == BlockNorm::kLayer) {
      add_at<T>(table_, name + ".bias", back.d_bias, d_parameters);
    }
    d += back.dX;
  };
  if (options_.feed_forward > 0) {
    const auto back = feed_forward_backward_from<T>(run.feed_forward, run.feed_forward_input,
                                                    feed_forward_of<T>(table_, parameters), d,
                                                    options_.activation);
    add_at<T>(table_, "fc1.weight", back.d_weights.up, d_parameters);
    add_at<T>(table_, "gate.weight", back.d_weights.gate, d_parameters);
    add_at<T>(table_, "fc2.weight", back.d_weights.down, d_parameters);
    add_at<T>(table_, "fc1.bias", back.d_weights.up_bias, d_parameters);
    add_at<T>(table_, "fc2.bias", back.d_weights.down_bias, d_parameters);
    through_norm(run.middle, "ln2", back.dX);
  }
  const Index count = mixer_->parameters().size();
  const Matrix<T> d_input =
      mixer_->backward(run.mixer_input, sequences, parameters.segment(mixer_at_, count), d,
                       d_parameters.segment(mixer_at_, count), gates, d_gates);
  through_norm(run.x, "ln1", d_input);
  return d;
}

template <typename T>
Matrix<T> Block<T>::step(In<T> X, InVector<T> parameters, MixerState<T>& state,
                         const HeadGates<T>& gates) const {
  const Index count = mixer_->parameters().size();
  Matrix<T> Y = X;
  Y += mixer_->step(normed(X, "ln1", parameters), parameters.segment(mixer_at_, count), state,
                    gates);
  if (options_.feed_forward > 0) Y += feed(normed(Y, "ln2", parameters), parameters);
  return Y;
}

template class Block<float>;
template class Block<double>;

}  // namespace attn
