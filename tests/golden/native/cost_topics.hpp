#pragma once
// The topics of what calls cost.

#include "golden_case.hpp"

namespace attn::golden {

template <typename T>
const std::map<std::string, Topic<T>>& cost_topics();

}  // namespace attn::golden
