#pragma once
// The topics of single heads: what they do on a text, how far they are from each other, and what
// their weights say.

#include "golden_case.hpp"

namespace attn::golden {

template <typename T>
const std::map<std::string, Topic<T>>& head_topics();

}  // namespace attn::golden
