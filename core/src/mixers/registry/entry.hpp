#pragma once
// An entry of the registry of sequence mixers. Private to the core.
//
// To add a mixer of queries, keys and values, write a `HeadsMixer` in heads.cpp (the shortest is
// `SlidingWindow`): what one head does, forward, backward, token by token and as a matrix, with its
// numbers of state and its multiply-adds. For a layer with projections of its own see layers.cpp.
// Append the entry in the function at the end of the file. The tests take every entry: forward
// against token by token, gradients against differences, cost against a count, the matrix against
// the output.

#include <memory>
#include <vector>

#include "attn/mixers/sequence_mixer.hpp"

namespace attn::internal {

template <typename T>
struct MixerEntry {
  SequenceMixerInfo info;
  std::unique_ptr<SequenceMixer<T>> (*make)(const SequenceMixerInfo&, const SequenceMixerOptions&);
};

template <typename T>
void add_head_mixers(std::vector<MixerEntry<T>>& all);
template <typename T>
void add_layer_mixers(std::vector<MixerEntry<T>>& all);

}  // namespace attn::internal
