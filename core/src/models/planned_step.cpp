#include "models/planned_step.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "attn/nn/normalization.hpp"
#include "models/planned_parts.hpp"

namespace attn::internal {
namespace {

/// No more than 128 MiB for what a step keeps: longer batches take the way that keeps less.
constexpr Size kMostFloats = Size{1} << 25;

}  // namespace

// --- What the model is ---------------------------------------------------------------------------

bool PlannedStep::fits(const LanguageModel<float>& model) const {
  return model_ == model.identity() && kernels_ == chosen_set();
}

bool PlannedStep::prepare(const LanguageModel<float>& model) {
  layers_.clear();
  laid_out_ = false;
  const LanguageModelOptions& options = model.options();
  const ParameterTable& table = model.table();
  if (options.gated) return false;
  switch (options.activation) {
    case Activation::kRelu:
      bend_ = simd::Bend::kRelu;
      break;
    case Activation::kGelu:
      bend_ = simd::Bend::kGelu;
      break;
    case Activation::kGeluTanh:
      bend_ = simd::Bend::kGeluTanh;
      break;
    case Activation::kSilu:
      bend_ = simd::Bend::kSilu;
      break;
    default:
      if (options.feed_forward > 0) return false;
  }
  vocabulary_ = options.vocabulary;
  width_ = options.d_model;
  feed_ = options.feed_forward;
  centred_ = options.norm == BlockNorm::kLayer;
  epsilon_ = static_cast<float>(centred_ ? kLayerNormEpsilon : kRmsNormEpsilon);
  const auto place = [&](const std::string& name) -> Size {
    return table.contains(name) ? table.at(name).offset : -1;
  };
  const auto norm = [&](const std::string& name) {
    return Norm{place(name + ".weight"), place(name + ".bias")};
  };
  tokens_at_ = place("tok.weight");
  positions_at_ = options.positions ? place("pos.weight") : -1;
  last_norm_ = norm("lnf");
  head_ = {place(options.tied ? "tok.weight" : "head.weight"), -1, vocabulary_, width_};
  for (Index i = 0; i < model.layers(); ++i) {
    const std::string prefix = "blocks." + std::to_string(i) + ".";
    Layer layer;
    layer.norm = norm(prefix + "ln1");
    if (feed_ > 0) {
      layer.feed_norm = norm(prefix + "ln2");
      layer.up = {place(prefix + "fc1.weight"), place(prefix + "fc1.bias"), feed_, width_};
      layer.down = {place(prefix + "fc2.weight"), place(prefix + "fc2.bias"), width_, feed_};
    }
    const SequenceMixer<float>& mixer = model.block(i).mixer();
    const std::span<const ParameterInfo> own = mixer.parameters().entries();
    const Size first = own.empty() ? 0 : place(prefix + "attn." + own.front().name);
    layer.mixer = planned_mixer(mixer, first);
    layers_.push_back(std::move(layer));
  }
  const Size layers = static_cast<Size>(layers_.size());
  segment_ = checkpoint_every_ == 0 ? layers : std::min<Size>(checkpoint_every_, layers);
  inputs_.reserve(layers_.size());
  return true;
}

// --- Where everything lies -----------------------------------------------------------------------

void PlannedStep::lay_out_layer(Layer& layer, Area& area) {
  const Size rows = rows_, d = width_;
  layer.x = area.take(rows * d);
  layer.a = area.take(rows * d);
  layer.sizes = area.take(2 * rows);
  float* const kept = area.take(layer.mixer->keep(nullptr, batch_, n_));
  layer.mixer->keep(kept, batch_, n_);
  layer.middle = nullptr;
  if (feed_ == 0) return;
  layer.middle = area.take(rows * d);
  layer.feed_a = area.take(rows * d);
  layer.feed_sizes = area.take(2 * rows);
  layer.slope = area.take(rows * feed_);
  layer.joined = area.take(rows * feed_);
}

Size PlannedStep::lay_out(float* base) {
  Area area{base};
  const Size rows = rows_, d = width_, layers = static_cast<Size>(layers_.size());
  counted_work_ = {};
  // One segment at a time has what its way back needs.
  Size longest = 0, work = 0;
  for (Size first = 0; first < layers; first += segment_) {
    Area part = area;
    for (Size l = first; l < end_of(first); ++l) {
      Layer& layer = layers_[static_cast<std::size_t>(l)];
      const Size before = part.used;
      lay_out_layer(layer, part);
      counted_work_.largest_layer =
          std::max(counted_work_.largest_layer, static_cast<std::uint64_t>(part.used - before));
      work = std::max(work, layer.mixer->use(nullptr));
    }
    longest = std::max(longest, part.used);
  }
  area.used = longest;
  inputs_.clear();
  for (Size first = segment_; first < layers; first += segment_) {
    inputs_.push_back(area.take(rows * d));
  }
  counted_work_.kept_numbers = static_cast<std::uint64_t>(area.used);
  x_ = area.take(rows * d);
  counted_work_.layer_input = static_cast<std::uint64_t>(rows * d);
  last_x_ = area.take(rows * d);
  last_a_ = area.take(rows * d);
  last_sizes_ = area.take(2 * rows);
  logits_ = area.take(rows * vocabulary_);
  sums_ = area.take(rows);
  d_ = area.take(rows * d);
  d_a_ = area.take(rows * d);
  d_joined_ = area.take(rows * feed_);
  work_ = area.take(work);
  return area.used;
}

bool PlannedStep::plan(Size batch, Size n) {
  if (laid_out_ && batch == batch_ && n == n_) return true;
  laid_out_ = false;
  batch_ = batch;
  n_ = n;
  rows_ = batch * n;
  const Size floats = lay_out(nullptr);
  if (floats > kMostFloats) return false;
  constexpr Size kAlignment = 16;
  if (static_cast<Size>(memory_.size()) < floats + kAlignment) {
    memory_.clear();
    memory_.resize(static_cast<std::size_t>(floats + kAlignment));
  }
  counted_.reserve(static_cast<std::size_t>(rows_));
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  lay_out(memory_.data() + (64 - address % 64) % 64 / sizeof(float));
  laid_out_ = true;
  return true;
}

// --- The step ------------------------------------------------------------------------------------

float* PlannedStep::input_of(Size first) {
  const auto at = static_cast<std::size_t>(first / segment_);
  // The last segment's input comes to its place at once if no other segment is there meanwhile.
  if (at < inputs_.size()) return inputs_[at];
  return inputs_.empty() ? layers_.front().x : x_;
}

void PlannedStep::forward(const float* p, Size first, float* out) {
  const Size rows = rows_, d = width_, end = end_of(first);
  const auto at = [&](Size l) -> Layer& { return layers_[static_cast<std::size_t>(l)]; };
  if (const float* const input = input_of(first); input != at(first).x) {
    std::copy(input, input + rows * d, at(first).x);
  }
  for (Size l = first; l < end; ++l) {
    Layer& layer = at(l);
    float* const next = l + 1 < end ? at(l + 1).x : out;
    float* const y = feed_ > 0 ? layer.middle : next;
    ++counted_work_.layer_forwards;
    ATTN_TRAIN(norm_rows, {rows, d, layer.x, p + layer.norm.weight, at_or_null(p, layer.norm.bias),
                           centred_, epsilon_, layer.a, layer.sizes});
    begin_rows(layer.x, nullptr, rows, d, y);
    layer.mixer->forward(p, layer.a, work_, y);
    if (feed_ == 0) continue;
    ATTN_TRAIN(norm_rows, {rows, d, layer.middle, p + layer.feed_norm.weight,
                           at_or_null(p, layer.feed_norm.bias), centred_, epsilon_, layer.feed_a,
                           layer.feed_sizes});
    times_weights(layer.feed_a, rows, p + layer.up.weight, feed_, d, layer.slope, false);
    ATTN_TRAIN(bend_rows,
               {rows, feed_, bend_, at_or_null(p, layer.up.bias), layer.slope, layer.joined});
    begin_rows(layer.middle, at_or_null(p, layer.down.bias), rows, d, next);
    times_weights(layer.joined, rows, p + layer.down.weight, d, feed_, next, true);
  }
}

bool PlannedStep::run(const LanguageModel<float>& model, std::span<const std::int32_t> tokens,
                      std::span<const std::int32_t> targets, Index batch, Index all,
                      Vector<float>& gradients, BatchResult& result) {
  if (!fits(model)) {
    // Whatever throws while it is made, a plan that is not whole belongs to no model.
    model_ = 0;
    possible_ = prepare(model);
    model_ = model.identity();
    kernels_ = chosen_set();
  }
  if (!possible_ || targets.size() != tokens.size()) return false;
  const auto known = [&](std::int32_t token) { return token >= 0 && token < vocabulary_; };
  for (const std::int32_t token : tokens) {
    if (!known(token)) return false;
  }
  if (!plan(batch, static_cast<Size>(tokens.size()) / batch)) return false;
  const Size rows = rows_, d = width_;
  const float* const p = model.parameters().data();
  counted_.clear();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] == kIgnoredTarget) continue;
    if (!known(targets[i])) return false;
    counted_.push_back(static_cast<Index>(i));
  }
  const Size counted = static_cast<Size>(counted_.size());
  result = {};
  counted_work_.layer_forwards = 0;
  if (counted == 0) return true;

  // Forward.
  float* const x = input_of(0);
  for (Size i = 0; i < rows; ++i) {
    const float* const from = p + tokens_at_ + tokens[static_cast<std::size_t>(i)] * d;
    const float* const place = positions_at_ < 0 ? nullptr : p + positions_at_ + i % n_ * d;
    begin_rows(from, place, 1, d, x + i * d);
  }
  const Size layers = static_cast<Size>(layers_.size());
  for (Size first = 0; first < layers; first += segment_) {
    const Size next = end_of(first);
    forward(p, first, next == layers ? x_ : input_of(next));
  }

  // The loss, of the rows that have a target.
  for (Size i = 0; i < counted; ++i) {
    const float* const from = x_ + counted_[static_cast<std::size_t>(i)] * d;
    std::copy(from, from + d, last_x_ + i * d);
  }
  ATTN_TRAIN(norm_rows, {counted, d, last_x_, p + last_norm_.weight, at_or_null(p, last_norm_.bias),
                         centred_, epsilon_, last_a_, last_sizes_});
  times_weights(last_a_, counted, p + head_.weight, vocabulary_, d, logits_, false);
  const float largest = simd::largest_magnitude(logits_, counted, vocabulary_, vocabulary_);
  if (!std::isfinite(largest)) return false;
  const auto target_of = [&](Size i) {
    return targets[static_cast<std::size_t>(counted_[static_cast<std::size_t>(i)])];
  };
  double loss = 0;
  Index right = 0;
  for (Size i = 0; i < counted; ++i) {
    const float* const row = logits_ + i * vocabulary_;
    loss -= double{row[target_of(i)]};
    if (std::max_element(row, row + vocabulary_) - row == target_of(i)) ++right;
  }
  simd::softmax_rows({counted, vocabulary_, logits_, vocabulary_, vocabulary_, 0, sums_});
  const double share = 1 / static_cast<double>(counted);
  const float factor = static_cast<float>(1 / static_cast<double>(all));
  for (Size i = 0; i < counted; ++i) {
    loss += double{sums_[i]};
    float* const row = logits_ + i * vocabulary_;
    row[target_of(i)] -= 1;
    for (Size c = 0; c < vocabulary_; ++c) row[c] *= factor;
  }
  result = {loss * share, share * static_cast<double>(right), static_cast<Index>(counted)};

  // Backward.
  float* const g = gradients.data();
  linear_rows_backward(head_, p, g, last_a_, logits_, counted, last_a_, false);
  std::fill(x_, x_ + counted * d, 0.0F);
  ATTN_TRAIN(norm_rows_backward,
             {counted, d, last_x_, p + last_norm_.weight, last_sizes_, last_a_, centred_, x_,
              g + last_norm_.weight, at_or_null(g, last_norm_.bias)});
  std::fill(d_, d_ + rows * d, 0.0F);
  for (Size i = 0; i < counted; ++i) {
    std::copy(x_ + i * d, x_ + (i + 1) * d, d_ + counted_[static_cast<std::size_t>(i)] * d);
  }
  for (Size l = layers; l-- > 0;) {
    // The first layer of the way back through a segment whose memory another one has had since.
    if (end_of(l / segment_ * segment_) == l + 1 && l + 1 < layers) {
      forward(p, l / segment_ * segment_, x_);
    }
    Layer& layer = layers_[static_cast<std::size_t>(l)];
    if (feed_ > 0) {
      linear_rows_backward(layer.down, p, g, layer.joined, d_, rows, d_joined_, false);
      // This pass over the rows gives the gradient by the bias too.
      ATTN_TRAIN(sum_rows,
                 {rows, feed_, d_joined_, feed_, g + layer.up.bias, layer.slope, d_joined_});
      Linear up = layer.up;
      up.bias = -1;
      linear_rows_backward(up, p, g, layer.feed_a, d_joined_, rows, d_a_, false);
      ATTN_TRAIN(norm_rows_backward,
                 {rows, d, layer.middle, p + layer.feed_norm.weight, layer.feed_sizes, d_a_,
                  centred_, d_, g + layer.feed_norm.weight, at_or_null(g, layer.feed_norm.bias)});
    }
    layer.mixer->backward(p, g, layer.a, d_, work_, d_a_);
    ATTN_TRAIN(norm_rows_backward,
               {rows, d, layer.x, p + layer.norm.weight, layer.sizes, d_a_, centred_, d_,
                g + layer.norm.weight, at_or_null(g, layer.norm.bias)});
  }
  for (Size i = 0; i < rows; ++i) {
    add_row(d_ + i * d, d, g + tokens_at_ + tokens[static_cast<std::size_t>(i)] * d);
    if (positions_at_ >= 0) add_row(d_ + i * d, d, g + positions_at_ + i % n_ * d);
  }
  return true;
}

}  // namespace attn::internal
