#pragma once
// Whole layers whose mixer alone is checked in mixer_topics.cpp, under the same topic.

#include "golden_case.hpp"

namespace attn::golden {

/// The layers of RetNet, RWKV-4 and Mamba.
template <typename T>
void run_retention_layer(Case<T>& c);
template <typename T>
void run_time_mix(Case<T>& c);
template <typename T>
void run_mamba_block(Case<T>& c);

}  // namespace attn::golden
