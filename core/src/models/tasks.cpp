#include "attn/models/tasks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "attn/attention/attention.hpp"
#include "attn/base/errors.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "attn/models/phrases.hpp"
#include "attn/nn/cross_entropy.hpp"

namespace attn {
namespace {

void require_at_least(const char* name, Index value, Index least) {
  if (value < least) throw ValueError(name, phrase::number(value), phrase::at_least(least));
}

/// An index with the probability of its weight.
template <typename Weights>
Index draw_index(const Weights& weights, double sum, Rng& rng) {
  double left = rng.uniform() * sum;
  Index last = 0;
  for (Index i = 0; i < static_cast<Index>(weights.size()); ++i) {
    const double weight = weights[i];
    if (weight <= 0) continue;
    last = i;
    left -= weight;
    if (left < 0) break;
  }
  return last;
}

/// `count` different numbers of 0 … size − 1, in random order: the first of a shuffle.
void draw_different(Index size, Index count, Rng& rng, std::vector<std::int32_t>& all) {
  all.resize(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::size_t other = i + static_cast<std::size_t>(rng.below(all.size() - i));
    std::swap(all[i], all[other]);
  }
  all.resize(static_cast<std::size_t>(count));
}

void empty_batch(Index batch, Index length, TaskBatch& made) {
  require_at_least("batch", batch, 1);
  const auto size = static_cast<std::size_t>(batch * length);
  made.batch = batch;
  made.length = length;
  made.tokens.assign(size, 0);
  made.targets.assign(size, kIgnoredTarget);
}

std::int32_t draw_token(Index vocabulary, Rng& rng) {
  return static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(vocabulary)));
}

Index draw_length(const LengthRange& range, Rng& rng) {
  return range.shortest + static_cast<Index>(rng.below(
                              static_cast<std::uint64_t>(range.longest - range.shortest + 1)));
}

/// What the two ends of a range are called where somebody chose them.
struct RangeNames {
  const char *shortest = "shortest", *longest = "longest";
};

void require_range(const LengthRange& range, Index least, Index most,
                   const RangeNames& names = {}) {
  if (range.longest < least || range.longest > most) {
    throw ValueError(names.longest, phrase::number(range.longest), phrase::range(least, most));
  }
  if (range.shortest < least || range.shortest > range.longest) {
    throw ValueError(names.shortest, phrase::number(range.shortest),
                     phrase::range(least, range.longest));
  }
}

double entropy(const Vector<double>& p) {
  double sum = 0;
  for (const double x : p) {
    if (x > 0) sum -= x * std::log(x);
  }
  return sum;
}

}  // namespace

TaskBatch Task::draw(Index batch, Rng& rng) const {
  TaskBatch made;
  DrawMemory memory;
  draw_into(batch, rng, made, memory);
  return made;
}

MarkovTask::MarkovTask(Index vocabulary, Index length, std::uint64_t seed, double sharpness)
    : length_(length) {
  require_at_least("vocabulary", vocabulary, 2);
  if (!(sharpness >= 0) || !std::isfinite(sharpness)) {
    throw ValueError("sharpness", phrase::number(sharpness), phrase::number_of_at_least(0));
  }
  transitions_ = sharpness * Rng(seed).gaussian_matrix<double>(vocabulary, vocabulary);
  for (Index i = 0; i < vocabulary; ++i) {
    const double largest = transitions_.row(i).maxCoeff();
    transitions_.row(i) = (transitions_.row(i).array() - largest).exp();
    transitions_.row(i) /= transitions_.row(i).sum();
  }
  prepare();
}

MarkovTask::MarkovTask(Matrix<double> transitions, Index length)
    : transitions_(std::move(transitions)), length_(length) {
  const Index n = transitions_.rows();
  if (n < 2 || transitions_.cols() != n) {
    throw ShapeError("transitions", phrase::shape(n, transitions_.cols()),
                     phrase::rows_that_sum_to_one);
  }
  for (Index i = 0; i < n; ++i) {
    const double sum = transitions_.row(i).sum();
    if (!(transitions_.row(i).minCoeff() >= 0) || !(std::abs(sum - 1) < 1e-9)) {
      throw ValueError("transitions", phrase::number(sum), phrase::rows_that_sum_to_one);
    }
  }
  prepare();
}

void MarkovTask::prepare() {
  require_at_least("length", length_, 1);
  const Index n = transitions_.rows();
  // The mean of a step and of none keeps π and cannot go around in circles.
  stationary_ = Vector<double>::Constant(n, 1 / static_cast<double>(n));
  for (int i = 0; i < 100000; ++i) {
    const Vector<double> next = (stationary_ + transitions_.transpose() * stationary_) / 2;
    const double moved = (next - stationary_).cwiseAbs().maxCoeff();
    stationary_ = next / next.sum();
    if (moved < 1e-16) break;
  }
}

double MarkovTask::entropy_rate() const {
  double rate = 0;
  for (Index i = 0; i < vocabulary(); ++i) {
    rate += stationary_(i) * entropy(transitions_.row(i).transpose());
  }
  return rate;
}

TaskBounds MarkovTask::bounds() const {
  const double n = static_cast<double>(vocabulary());
  double best = 0;
  for (Index i = 0; i < vocabulary(); ++i) {
    best += stationary_(i) * transitions_.row(i).maxCoeff();
  }
  return {std::log(n), 1 / n, entropy_rate(), best};
}

double MarkovTask::loss(std::span<const std::int32_t> tokens) const {
  if (tokens.size() < 2) {
    throw ShapeError("tokens", phrase::tokens_seen(static_cast<Index>(tokens.size())),
                     phrase::at_least(2));
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] < 0 || tokens[i] >= vocabulary()) {
      throw ValueError("tokens", phrase::at_entry(tokens[i], i),
                       phrase::range(0, vocabulary() - 1));
    }
  }
  double sum = 0;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    sum -= std::log(transitions_(tokens[i - 1], tokens[i]));
  }
  return sum / static_cast<double>(tokens.size() - 1);
}

Matrix<double> transition_shares(std::span<const std::int32_t> tokens, Index length,
                                 Index vocabulary) {
  if (vocabulary < 2) {
    throw ValueError("vocabulary", phrase::number(vocabulary), phrase::at_least(2));
  }
  if (length < 2) throw ValueError("length", phrase::number(length), phrase::at_least(2));
  const auto each = static_cast<std::size_t>(length);
  if (tokens.size() % each != 0) {
    throw ShapeError("tokens", phrase::tokens_seen(static_cast<Index>(tokens.size())),
                     phrase::multiple(length));
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] < 0 || tokens[i] >= vocabulary) {
      throw ValueError("tokens", phrase::at_entry(tokens[i], i), phrase::range(0, vocabulary - 1));
    }
  }
  Matrix<double> counts = Matrix<double>::Zero(vocabulary, vocabulary);
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (i % each != 0) counts(tokens[i - 1], tokens[i]) += 1;
  }
  for (Index i = 0; i < vocabulary; ++i) {
    const double all = counts.row(i).sum();
    // 0/0 is the NaN of a token that nothing follows.
    counts.row(i) /= all;
  }
  return counts;
}

void MarkovTask::draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory&) const {
  empty_batch(batch, length_, made);
  std::size_t at = 0;
  for (Index s = 0; s < batch; ++s) {
    Index token = draw_index(stationary_, 1, rng);
    for (Index t = 0; t < length_; ++t, ++at) {
      made.tokens[at] = static_cast<std::int32_t>(token);
      token = draw_index(transitions_.row(token), 1, rng);
      made.targets[at] = static_cast<std::int32_t>(token);
    }
  }
}

RecallTask::RecallTask(const RecallOptions& options) : options_(options) {
  require_at_least("pairs", options.pairs, 1);
  if (options.length % 2 != 0) {
    throw ValueError("length", phrase::number(options.length), phrase::even_number_wanted);
  }
  if (options.length < 4 * options.pairs) {
    throw ValueError("length", phrase::number(options.length),
                     phrase::places_for_pairs(4 * options.pairs));
  }
  if (options.vocabulary / 2 - 1 < options.pairs) {
    throw ValueError("vocabulary", phrase::number(options.vocabulary),
                     phrase::more_keys_wanted(2 * (options.pairs + 1)));
  }
  if (!(options.power > 0) || !std::isfinite(options.power)) {
    throw ValueError("power", phrase::number(options.power), phrase::positive_number);
  }
}

TaskBounds RecallTask::bounds() const {
  const Index value_count = options_.vocabulary - options_.vocabulary / 2;
  const auto values = static_cast<double>(value_count);
  return {std::log(values), 1 / values, 0, 1};
}

void RecallTask::draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const {
  const Index length = options_.length, pairs = options_.pairs, half = options_.vocabulary / 2;
  empty_batch(batch, length, made);
  const Index gaps = (length - 2 * pairs) / 2;
  memory.gaps.resize(static_cast<std::size_t>(gaps));
  for (Index i = 0; i < gaps; ++i) {
    memory.gaps[static_cast<std::size_t>(i)] =
        options_.power * std::pow(static_cast<double>(i + 1), options_.power - 1);
  }
  auto& [keys, values, all_weights, weights, filled] = memory;
  for (Index s = 0; s < batch; ++s) {
    const auto first = static_cast<std::size_t>(s * length);
    draw_different(half - 1, pairs, rng, keys);
    draw_different(options_.vocabulary - half, pairs, rng, values);
    filled.assign(static_cast<std::size_t>(length), 0);
    weights = all_weights;
    for (Index p = 0; p < pairs; ++p) {
      const auto pair = static_cast<std::size_t>(p);
      const std::int32_t key = keys[pair] + 1,
                         value = values[pair] + static_cast<std::int32_t>(half);
      made.tokens[first + 2 * pair] = key;
      made.tokens[first + 2 * pair + 1] = value;
      // Each gap is drawn once.
      const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
      const Index gap = draw_index(weights, sum, rng);
      weights[static_cast<std::size_t>(gap)] = 0;
      const auto place = static_cast<std::size_t>(2 * pairs + 2 * gap);
      made.tokens[first + place] = key;
      made.targets[first + place] = value;
      filled[place] = 1;
    }
    if (!options_.random_non_queries) continue;
    for (std::size_t t = static_cast<std::size_t>(2 * pairs); t < filled.size(); ++t) {
      if (filled[t] != 0) continue;
      made.tokens[first + t] = draw_token(options_.vocabulary, rng);
    }
  }
}

std::vector<std::int32_t> recall_answers(std::span<const std::int32_t> tokens, Index pairs) {
  require_at_least("pairs", pairs, 1);
  const auto count = static_cast<std::size_t>(2 * pairs);
  if (tokens.size() < count) {
    throw ShapeError("tokens", phrase::tokens_seen(static_cast<Index>(tokens.size())),
                     phrase::at_least(2 * pairs));
  }
  std::vector<std::int32_t> answers(tokens.size(), kIgnoredTarget);
  for (std::size_t t = count; t < tokens.size(); ++t) {
    for (std::size_t p = 0; p < count; p += 2) {
      if (tokens[p] == tokens[t]) answers[t] = tokens[p + 1];
    }
  }
  return answers;
}

CopyTask::CopyTask(Index vocabulary, Index width, bool reversed)
    : vocabulary_(vocabulary), width_(width), reversed_(reversed) {
  require_at_least("vocabulary", vocabulary, 3);
  require_at_least("width", width, 1);
}

TaskBounds CopyTask::bounds() const {
  const double kinds = static_cast<double>(vocabulary_ - 1);
  return {std::log(kinds), 1 / kinds, 0, 1};
}

void CopyTask::draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory&) const {
  empty_batch(batch, length(), made);
  const auto width = static_cast<std::size_t>(width_);
  for (std::size_t first = 0; first < made.tokens.size(); first += 2 * width) {
    for (std::size_t t = 0; t < width; ++t) {
      made.tokens[first + t] = draw_token(vocabulary_ - 1, rng);
    }
    made.tokens[first + width] = static_cast<std::int32_t>(vocabulary_ - 1);
    // The separator asks for the first token, each copied one for the next.
    for (std::size_t t = 0; t < width; ++t) {
      const std::int32_t said = made.tokens[first + (reversed_ ? width - 1 - t : t)];
      made.targets[first + width + t] = said;
      if (t + 1 < width) made.tokens[first + width + t + 1] = said;
    }
  }
}

PeriodTask::PeriodTask(Index vocabulary, Index length, const LengthRange& periods)
    : vocabulary_(vocabulary), length_(length), periods_(periods) {
  require_at_least("vocabulary", vocabulary, 2);
  require_at_least("length", length, 3);
  require_range(periods, 2, std::min(vocabulary, length - 1));
}

TaskBounds PeriodTask::bounds() const {
  const double n = static_cast<double>(vocabulary_);
  // At place t the periods up to t count. The token o places back is the next one where the period
  // divides o + 1.
  std::vector<Index> right(static_cast<std::size_t>(length_));
  Index periods = 0, all = 0, met = 0, best = 0;
  for (Index t = periods_.shortest; t < length_; ++t) {
    if (t <= periods_.longest) {
      ++periods;
      for (Index o = t - 1; o < length_; o += t) {
        const Index here = ++right[static_cast<std::size_t>(o)];
        if (o < t) best = std::max(best, here);
      }
    }
    best = std::max(best, right[static_cast<std::size_t>(t)]);
    all += periods;
    met += best;
  }
  return {std::log(n), 1 / n, 0, 1, static_cast<double>(met) / static_cast<double>(all)};
}

void PeriodTask::draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const {
  empty_batch(batch, length_, made);
  const auto length = static_cast<std::size_t>(length_);
  for (std::size_t first = 0; first < made.tokens.size(); first += length) {
    draw_different(vocabulary_, draw_length(periods_, rng), rng, memory.keys);
    const std::size_t period = memory.keys.size();
    for (std::size_t t = 0; t < length; ++t) {
      made.tokens[first + t] = memory.keys[t % period];
      if (t >= period) made.targets[first + t] = memory.keys[(t + 1) % period];
    }
  }
}

SegmentTask::SegmentTask(Index vocabulary, Index length, Index piece, const LengthRange& distances)
    : vocabulary_(vocabulary), length_(length), piece_(piece), distances_(distances) {
  require_at_least("vocabulary", vocabulary, 2);
  require_at_least("length", length, 4);
  if (piece < 2 || piece > length / 2) {
    throw ValueError("piece", phrase::number(piece), phrase::range(2, length / 2));
  }
  require_range(distances, piece, length - piece);
}

TaskBounds SegmentTask::bounds() const {
  const double n = static_cast<double>(vocabulary_);
  // How probable each distance is where place t is asked for, up to a factor.
  double met = 0, all = 0;
  for (Index t = distances_.shortest; t < length_; ++t) {
    double best = 0;
    for (Index d = distances_.shortest; d <= distances_.longest; ++d) {
      const Index last = length_ - piece_ - d;
      const Index places = std::min(last, t - d) - std::max<Index>(0, t - d - (piece_ - 2)) + 1;
      const double share =
          static_cast<double>(std::max<Index>(places, 0)) / static_cast<double>(last + 1);
      best = std::max(best, share);
      all += share;
    }
    met += best;
  }
  // Where the distance is another, the two tokens were drawn independently.
  const double share = met / all;
  const double unknown = std::nan("");
  return {std::log(n), 1 / n, unknown, unknown, share + (1 - share) / n};
}

void SegmentTask::draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory&) const {
  empty_batch(batch, length_, made);
  for (Index s = 0; s < batch; ++s) {
    const Index from = s * length_;
    for (Index t = 0; t < length_; ++t) {
      made.tokens[static_cast<std::size_t>(from + t)] = draw_token(vocabulary_, rng);
    }
    const Index distance = draw_length(distances_, rng);
    const Index place = from + draw_length({0, length_ - piece_ - distance}, rng);
    for (Index t = place; t < place + piece_; ++t) {
      const std::int32_t copied = made.tokens[static_cast<std::size_t>(t)];
      made.tokens[static_cast<std::size_t>(t + distance)] = copied;
      if (t > place) made.targets[static_cast<std::size_t>(t + distance - 1)] = copied;
    }
  }
}

MaskedTask::MaskedTask(std::shared_ptr<const Task> source, double share)
    : source_(std::move(source)), share_(share) {
  if (!(share > 0 && share <= 0.9)) {
    throw ValueError("masked", phrase::number(share), phrase::range(0, 0.9));
  }
}

Index MaskedTask::chosen() const {
  return std::max<Index>(
      1, static_cast<Index>(std::round(share_ * static_cast<double>(source_->length()))));
}

TaskBounds MaskedTask::bounds() const {
  const double n = static_cast<double>(source_->vocabulary()), unknown = std::nan("");
  return {std::log(n), 1 / n, unknown, unknown};
}

void MaskedTask::draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const {
  source_->draw_into(batch, rng, made, memory);
  std::fill(made.targets.begin(), made.targets.end(), kIgnoredTarget);
  for (Index s = 0; s < batch; ++s) {
    draw_different(made.length, chosen(), rng, memory.keys);
    for (const std::int32_t place : memory.keys) {
      const auto at = static_cast<std::size_t>(s * made.length + place);
      made.targets[at] = made.tokens[at];
      const double kind = rng.uniform();
      if (kind < 0.8) {
        made.tokens[at] = static_cast<std::int32_t>(mask_token());
      } else if (kind < 0.9) {
        made.tokens[at] = draw_token(source_->vocabulary(), rng);
      }
    }
  }
}

TextTask::TextTask(std::vector<std::int32_t> text, Index vocabulary, Index length, Index first,
                   Index count)
    : text_(std::move(text)),
      vocabulary_(vocabulary),
      length_(length),
      first_(first),
      count_(count) {
  require_at_least("vocabulary", vocabulary, 1);
  require_at_least("length", length, 1);
  const Index size = static_cast<Index>(text_.size());
  if (first < 0 || first > size) {
    throw ValueError("first", phrase::number(first), phrase::range(0, size));
  }
  if (count <= length || count > size - first) {
    throw ValueError("count", phrase::number(count), phrase::text_longer_than(length));
  }
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] < 0 || text_[i] >= vocabulary) {
      throw ValueError("text", phrase::at_entry(text_[i], i), phrase::range(0, vocabulary - 1));
    }
  }
}

TaskBounds TextTask::bounds() const {
  const double n = static_cast<double>(vocabulary_), unknown = std::nan("");
  return {std::log(n), 1 / n, unknown, unknown};
}

void TextTask::draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory&) const {
  empty_batch(batch, length_, made);
  std::size_t at = 0;
  for (Index s = 0; s < batch; ++s) {
    const auto from =
        static_cast<std::size_t>(first_) +
        static_cast<std::size_t>(rng.below(static_cast<std::uint64_t>(count_ - length_)));
    for (std::size_t t = 0; t < static_cast<std::size_t>(length_); ++t, ++at) {
      made.tokens[at] = text_[from + t];
      made.targets[at] = text_[from + t + 1];
    }
  }
}

double TextTask::unigram_entropy() const {
  Vector<double> share = Vector<double>::Zero(vocabulary_);
  for (Index i = 0; i < count_; ++i) share(text_[static_cast<std::size_t>(first_ + i)]) += 1;
  share /= static_cast<double>(count_);
  return entropy(share);
}

namespace {

/// What a task of lengths is trained on, and what is held out: longer ones, unless it is said
/// which.
struct ChosenRanges {
  LengthRange trained, held_out;
};

/// Where the options say nothing, `usual` is trained on and the rest up to `held_out` is not.
ChosenRanges ranges_of(const TaskOptions& options, Index least, Index most, LengthRange usual,
                       Index held_out) {
  ChosenRanges made;
  auto& [shortest, longest] = made.trained;
  usual.longest = std::max(usual.longest, usual.shortest);
  longest = options.longest != 0 ? options.longest : std::max(usual.longest, options.shortest);
  shortest = options.shortest != 0 ? options.shortest : std::min(usual.shortest, longest);
  require_range(made.trained, least, most);
  made.held_out = {options.held_out_shortest, options.held_out_longest};
  if (made.held_out.shortest == 0 && made.held_out.longest == 0 && longest == most) {
    throw ValueError("longest", phrase::number(longest), phrase::at_most(most - 1));
  }
  if (made.held_out.shortest == 0) {
    made.held_out.shortest = std::min(longest + 1, most);
    if (made.held_out.longest != 0) {
      made.held_out.shortest = std::min(made.held_out.shortest, made.held_out.longest);
    }
  }
  if (made.held_out.longest == 0) {
    made.held_out.longest = std::max(std::min(held_out, most), made.held_out.shortest);
  }
  require_range(made.held_out, least, most, {"held_out_shortest", "held_out_longest"});
  return made;
}

TaskPair unmasked_tasks(const TaskOptions& options) {
  const auto both = [](std::shared_ptr<const Task> task) { return TaskPair{task, task}; };
  switch (options.kind) {
    case TaskKind::kMarkov:
      return both(std::make_shared<MarkovTask>(options.vocabulary, options.length, options.seed,
                                               options.sharpness));
    case TaskKind::kRecall:
      return both(std::make_shared<RecallTask>(
          RecallOptions{options.vocabulary, options.length, options.pairs,
                        options.random_non_queries, options.power}));
    case TaskKind::kText: {
      if (!(options.held_out >= 0 && options.held_out <= 0.9)) {
        throw ValueError("held_out", phrase::number(options.held_out), phrase::range(0, 0.9));
      }
      const Index size = static_cast<Index>(options.text.size());
      const Index kept = static_cast<Index>(options.held_out * static_cast<double>(size));
      const auto part = [&](Index first, Index count) {
        return std::make_shared<TextTask>(options.text, options.vocabulary, options.length, first,
                                          count);
      };
      const auto training = part(0, size - kept);
      return {training, kept == 0 ? training : part(size - kept, kept)};
    }
    case TaskKind::kPeriod: {
      const Index n = options.length;
      require_at_least("vocabulary", options.vocabulary, 3);
      require_at_least("length", n, 4);
      const Index most = std::min(options.vocabulary, n - 1);
      const auto ranges = ranges_of(
          options, 2, most, {std::max<Index>(n / 6, 2), std::min(n / 2, most - 1)}, 2 * n / 3);
      const auto of = [&](const LengthRange& periods) {
        return std::make_shared<PeriodTask>(options.vocabulary, n, periods);
      };
      return {of(ranges.trained), of(ranges.held_out)};
    }
    case TaskKind::kSegment: {
      const Index n = options.length;
      require_at_least("length", n, 6);
      const Index piece = options.piece == 0 ? n / 3 : options.piece, most = n - piece;
      if (piece < 2 || piece > n / 2) {
        throw ValueError("piece", phrase::number(piece), phrase::range(2, n / 2));
      }
      const Index left_out = std::max<Index>((most - piece) / 3, 1);
      const auto ranges = ranges_of(options, piece, most, {piece, most - left_out}, most);
      const auto of = [&](const LengthRange& distances) {
        return std::make_shared<SegmentTask>(options.vocabulary, n, piece, distances);
      };
      return {of(ranges.trained), of(ranges.held_out)};
    }
    default:
      break;
  }
  if (options.length % 2 != 0) {
    throw ValueError("length", phrase::number(options.length), phrase::even_number_wanted);
  }
  return both(std::make_shared<CopyTask>(options.vocabulary, options.length / 2,
                                         options.kind == TaskKind::kReverse));
}

}  // namespace

TaskPair make_tasks(const TaskOptions& options) {
  const TaskPair plain = unmasked_tasks(options);
  if (options.masked == 0) return plain;
  const auto training = std::make_shared<MaskedTask>(plain.training, options.masked);
  if (plain.evaluation == plain.training) return {training, training};
  return {training, std::make_shared<MaskedTask>(plain.evaluation, options.masked)};
}

double recall_share(std::string_view feature_map, const RecallTrial& trial, std::uint64_t seed) {
  require_at_least("pairs", trial.pairs, 1);
  require_at_least("d_k", trial.d_k, 1);
  require_at_least("d_v", trial.d_v, 1);
  const Matrix<double> K =
      trial.scale * Rng(seed, 0).gaussian_matrix<double>(trial.pairs, trial.d_k);
  const Matrix<double> V =
      Rng(seed, 1).gaussian_matrix<double>(trial.pairs, trial.d_v).unaryExpr([](double x) {
        return x < 0 ? -1.0 : 1.0;
      });
  Matrix<double> found;
  if (feature_map.empty()) {
    found = attention<double>(K, K, V).output;
  } else {
    FeatureMapOptions<double> options;
    options.seed = seed;
    found = linear_attention<double>(K, K, V, FeatureMap<double>(feature_map, trial.d_k, options))
                .output;
  }
  Index right = 0;
  for (Index i = 0; i < trial.pairs; ++i) {
    // All values have the same length, so the nearest is that of the largest product.
    Index nearest = 0;
    (V * found.row(i).transpose()).maxCoeff(&nearest);
    if (V.row(nearest) == V.row(i)) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(trial.pairs);
}

}  // namespace attn
