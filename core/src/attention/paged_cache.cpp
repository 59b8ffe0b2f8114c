#include "attn/attention/paged_cache.hpp"

#include <algorithm>

#include "attention/cached_heads.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"

namespace attn {
namespace {

Index ceiling(Index tokens, Index block) { return tokens / block + (tokens % block != 0 ? 1 : 0); }

}  // namespace

template <typename T>
PagedCache<T>::PagedCache(Index blocks, Index block_size, Index kv_heads, Index d_k, Index d_v)
    : block_size_(block_size), kv_heads_(kv_heads), d_k_(d_k), d_v_(d_v) {
  const auto require_one = [](std::string_view name, Index x) {
    if (x < 1) throw ValueError(name, phrase::number(x), phrase::at_least(1));
  };
  require_one("blocks", blocks);
  require_one("block_size", block_size);
  require_one("kv_heads", kv_heads);
  require_one("d_k", d_k);
  require_one("d_v", d_v);
  const double bytes = static_cast<double>(blocks) * static_cast<double>(block_size) *
                       static_cast<double>(kv_heads) *
                       (static_cast<double>(d_k) + static_cast<double>(d_v)) * sizeof(T);
  if (bytes > static_cast<double>(kMaxKvCacheBytes)) {
    throw CapacityError("blocks", phrase::blocks_of_mebibytes(blocks, bytes / (1 << 20)),
                        phrase::at_most_mebibytes(kMaxKvCacheBytes >> 20));
  }
  references_.assign(static_cast<std::size_t>(blocks), 0);
  filled_ = references_;
  prefix_of_.resize(references_.size());
  for (Index g = 0; g < kv_heads; ++g) {
    keys_.push_back(Matrix<T>::Zero(blocks * block_size, d_k));
    values_.push_back(Matrix<T>::Zero(blocks * block_size, d_v));
  }
}

template <typename T>
Index PagedCache<T>::take_block() {
  const auto found = std::find(references_.begin(), references_.end(), Index{0});
  *found = 1;
  const auto block = static_cast<Index>(found - references_.begin());
  filled_[static_cast<std::size_t>(block)] = 0;
  return block;
}

template <typename T>
void PagedCache<T>::give_up(Index block) {
  const auto at = static_cast<std::size_t>(block);
  if (--references_[at] > 0) return;
  filled_[at] = 0;
  if (!prefix_of_[at]) return;
  prefixes_.erase(*prefix_of_[at]);
  prefix_of_[at].reset();
}

/// Makes the block at place `at` of the table findable, now that it is full of known tokens. Of
/// blocks with the same tokens the first stays the one that is found.
template <typename T>
void PagedCache<T>::name_full_block(const Sequence& sequence, Index at) {
  const auto place = static_cast<std::size_t>(at);
  const auto first = sequence.tokens.begin() + at * block_size_;
  Prefix prefix{at == 0 ? -1 : sequence.table[place - 1], {first, first + block_size_}};
  const Index block = sequence.table[place];
  if (prefixes_.emplace(prefix, block).second) {
    prefix_of_[static_cast<std::size_t>(block)] = std::move(prefix);
  }
}

template <typename T>
auto PagedCache<T>::require(std::string_view argument, Index sequence) const -> const Sequence& {
  const auto found = sequences_.find(sequence);
  if (found != sequences_.end()) return found->second;
  throw ValueError(argument, phrase::number(sequence), phrase::living_sequence);
}

template <typename T>
void PagedCache<T>::require_new(Index sequence) const {
  if (has(sequence)) throw ValueError("to", phrase::number(sequence), phrase::new_sequence);
}

template <typename T>
void PagedCache<T>::append(Index sequence, In<T> K, In<T> V, std::span<const std::int32_t> tokens) {
  const Index count = K.rows();
  require_shape<T>("K", K, count, kv_heads_ * d_k_, phrase::kv_heads_dk_columns);
  require_shape<T>("V", V, count, kv_heads_ * d_v_, phrase::kv_heads_dv_columns);
  require_finite<T>("K", K);
  require_finite<T>("V", V);
  if (!tokens.empty() && static_cast<Index>(tokens.size()) != count) {
    throw ShapeError("tokens", phrase::tokens_seen(static_cast<Index>(tokens.size())),
                     phrase::count_because(count, phrase::one_each_key));
  }
  Sequence next = has(sequence) ? sequences_.at(sequence) : Sequence{};
  const Index room = static_cast<Index>(next.table.size()) * block_size_ - next.length;
  const bool copies =
      count > 0 && room > 0 && references_[static_cast<std::size_t>(next.table.back())] > 1;
  const Index wanted = (copies ? 1 : 0) + ceiling(std::max<Index>(count - room, 0), block_size_);
  const Index free = blocks() - blocks_in_use();
  if (wanted > free) {
    throw CapacityError("K", phrase::blocks_wanted(count, wanted),
                        phrase::blocks_free(free, blocks()));
  }

  const auto known = static_cast<Index>(next.tokens.size());
  if (known == next.length) next.tokens.insert(next.tokens.end(), tokens.begin(), tokens.end());
  if (copies) {
    const Index old = next.table.back(), copy = take_block();
    for (auto* all : {&keys_, &values_}) {
      for (Matrix<T>& rows : *all) {
        rows.middleRows(copy * block_size_, block_size_) =
            rows.middleRows(old * block_size_, block_size_).eval();
      }
    }
    filled_[static_cast<std::size_t>(copy)] = block_size_ - room;
    next.table.back() = copy;
    give_up(old);
    ++copied_;
  }
  for (Index t = 0; t < count; ++t) {
    const Index place = next.length % block_size_;
    if (place == 0) next.table.push_back(take_block());
    const Index slot = next.table.back() * block_size_ + place;
    for (Index g = 0; g < kv_heads_; ++g) {
      keys_[static_cast<std::size_t>(g)].row(slot) = K.row(t).segment(g * d_k_, d_k_);
      values_[static_cast<std::size_t>(g)].row(slot) = V.row(t).segment(g * d_v_, d_v_);
    }
    ++next.length;
    filled_[static_cast<std::size_t>(next.table.back())] = place + 1;
    if (place + 1 == block_size_ && static_cast<Index>(next.tokens.size()) >= next.length) {
      name_full_block(next, next.length / block_size_ - 1);
    }
  }
  const std::uint64_t bytes = internal::wide(K.size() + V.size()) * sizeof(T);
  OperationMeter::add({.bytes_read = bytes, .bytes_written = bytes});
  sequences_[sequence] = std::move(next);
}

template <typename T>
void PagedCache<T>::fork(Index from, Index to) {
  Sequence copy = require("from", from);
  require_new(to);
  for (const Index block : copy.table) ++references_[static_cast<std::size_t>(block)];
  sequences_[to] = std::move(copy);
}

template <typename T>
Index PagedCache<T>::share_prefix(Index to, std::span<const std::int32_t> tokens) {
  require_new(to);
  Sequence made;
  const auto count = static_cast<Index>(tokens.size());
  while (made.length + block_size_ <= count) {
    const auto first = tokens.begin() + made.length;
    const auto found =
        prefixes_.find({made.table.empty() ? -1 : made.table.back(), {first, first + block_size_}});
    if (found == prefixes_.end()) break;
    made.table.push_back(found->second);
    made.length += block_size_;
  }
  for (const Index block : made.table) ++references_[static_cast<std::size_t>(block)];
  made.tokens.assign(tokens.begin(), tokens.begin() + made.length);
  const Index shared = made.length;
  sequences_[to] = std::move(made);
  return shared;
}

template <typename T>
void PagedCache<T>::release(Index sequence) {
  for (const Index block : require("sequence", sequence).table) give_up(block);
  sequences_.erase(sequence);
}

template <typename T>
KvAttention<T> PagedCache<T>::attend(Index sequence, In<T> Q, Index heads,
                                     std::optional<double> scale) const {
  const Sequence& one = require("sequence", sequence);
  if (heads < 1 || heads % kv_heads_ != 0) {
    throw ValueError("heads", phrase::heads_for_kv_heads(heads, kv_heads_),
                     phrase::multiple(kv_heads_));
  }
  const Index r = Q.rows();
  require_shape<T>("Q", Q, r, heads * d_k_, phrase::heads_dk_columns);
  require_finite<T>("Q", Q);
  if (r < 1 || r > one.length) {
    throw ShapeError("Q", phrase::shape(r, Q.cols()), phrase::rows_up_to_kept(one.length));
  }
  AttentionOptions<T> each;
  KeyWindow window;
  window.right = 0;
  each.mask = window_mask(r, one.length, window);
  each.scale = attention_scale(scale, d_k_);
  const auto gathered = [&](const Matrix<T>& rows) {
    Matrix<T> made(one.length, rows.cols());
    for (std::size_t b = 0; b < one.table.size(); ++b) {
      const Index first = static_cast<Index>(b) * block_size_;
      const Index filled = std::min(block_size_, one.length - first);
      made.middleRows(first, filled) = rows.middleRows(one.table[b] * block_size_, filled);
    }
    const std::uint64_t bytes = internal::wide(made.size()) * sizeof(T);
    OperationMeter::add({.bytes_read = bytes, .bytes_written = bytes});
    return made;
  };
  return internal::attend_cached<T>(
      Q, heads, kv_heads_, d_k_, d_v_, each,
      [&](Index g) { return gathered(keys_[static_cast<std::size_t>(g)]); },
      [&](Index g) { return gathered(values_[static_cast<std::size_t>(g)]); });
}

template <typename T>
Index PagedCache<T>::length(Index sequence) const {
  return has(sequence) ? sequences_.at(sequence).length : 0;
}

template <typename T>
std::vector<Index> PagedCache<T>::table(Index sequence) const {
  return has(sequence) ? sequences_.at(sequence).table : std::vector<Index>{};
}

template <typename T>
Index PagedCache<T>::blocks_in_use() const {
  return blocks() - std::count(references_.begin(), references_.end(), Index{0});
}

template <typename T>
Index PagedCache<T>::wasted_slots() const {
  Index free = 0;
  for (std::size_t b = 0; b < references_.size(); ++b) {
    if (references_[b] > 0) free += block_size_ - filled_[b];
  }
  return free;
}

template <typename T>
PagedTrace<T> paged_trace(std::span<const PagedOperation> operations, Index blocks,
                          Index block_size, Index sequences, In<T> K, In<T> V, In<T> Q) {
  if (sequences < 1) throw ValueError("sequences", phrase::number(sequences), phrase::at_least(1));
  require_qkv<T>(K, K, V);
  require_shape<T>("Q", Q, sequences, K.cols(), phrase::query_each_sequence);
  require_finite<T>("Q", Q);
  PagedCache<T> cache(blocks, block_size, 1, K.cols(), V.cols());
  const auto steps = static_cast<Index>(operations.size());
  const auto require_sequence = [](Index sequence) {
    if (sequence < 0) {
      throw ValueError("operations", phrase::number(sequence), phrase::at_least(0));
    }
  };

  PagedTrace<T> made;
  made.references.resize(steps, blocks);
  made.lengths.resize(steps, sequences);
  std::vector<std::vector<Index>> tables;
  Index row = 0;
  std::size_t widest = 0;
  for (Index step = 0; step < steps; ++step) {
    const PagedOperation& operation = operations[static_cast<std::size_t>(step)];
    require_sequence(operation.sequence);
    const Index copied = cache.blocks_copied();
    bool done = true;
    if (operation.action == PagedAction::kAppend) {
      if (operation.count < 0 || operation.count > K.rows() - row) {
        throw ShapeError("K", phrase::shape(K.rows(), K.cols()), phrase::rows_for_appends);
      }
      try {
        cache.append(operation.sequence, K.middleRows(row, operation.count),
                     V.middleRows(row, operation.count));
        row += operation.count;
      } catch (const CapacityError&) {
        done = false;
      }
    } else if (operation.action == PagedAction::kFork) {
      require_sequence(operation.count);
      done = cache.has(operation.sequence) && !cache.has(operation.count);
      if (done) cache.fork(operation.sequence, operation.count);
    } else {
      done = cache.has(operation.sequence);
      if (done) cache.release(operation.sequence);
    }
    const auto note = [](std::vector<std::int32_t>& list, Index x) {
      list.push_back(static_cast<std::int32_t>(x));
    };
    note(made.ok, done ? 1 : 0);
    note(made.blocks_in_use, cache.blocks_in_use());
    note(made.wasted_slots, cache.wasted_slots());
    note(made.blocks_copied, cache.blocks_copied() - copied);
    for (Index b = 0; b < blocks; ++b) {
      made.references(step, b) = static_cast<T>(cache.references()[static_cast<std::size_t>(b)]);
    }
    for (Index s = 0; s < sequences; ++s) {
      made.lengths(step, s) = static_cast<T>(cache.length(s));
      tables.push_back(cache.table(s));
      widest = std::max(widest, tables.back().size());
    }
  }

  made.tables = Matrix<T>::Constant(steps * sequences, static_cast<Index>(widest), T(-1));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (std::size_t k = 0; k < tables[i].size(); ++k) {
      made.tables(static_cast<Index>(i), static_cast<Index>(k)) = static_cast<T>(tables[i][k]);
    }
  }
  Index longest = 0;
  for (Index s = 0; s < sequences; ++s) longest = std::max(longest, cache.length(s));
  made.slots = Matrix<T>::Constant(sequences, longest, T(-1));
  made.output = Matrix<T>::Zero(sequences, V.cols());
  for (Index s = 0; s < sequences; ++s) {
    const std::vector<Index> table = cache.table(s);
    for (Index t = 0; t < cache.length(s); ++t) {
      made.slots(s, t) = static_cast<T>(
          table[static_cast<std::size_t>(t / block_size)] * block_size + t % block_size);
    }
    if (cache.length(s) > 0) made.output.row(s) = cache.attend(s, Q.row(s), 1).output;
  }
  return made;
}

template class PagedCache<float>;
template class PagedCache<double>;

#define ATTN_INSTANTIATE(T)                                                                   \
  template PagedTrace<T> paged_trace<T>(std::span<const PagedOperation>, Index, Index, Index, \
                                        In<T>, In<T>, In<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
