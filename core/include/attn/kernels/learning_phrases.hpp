#pragma once
// What the errors of kernel machines say (learning_phrases.inc), in attn::phrase.

#include "attn/base/phrase.hpp"

namespace attn::phrase {

#define ATTN_PHRASE ATTN_DECLARE_PHRASE
#include "attn/kernels/learning_phrases.inc"
#undef ATTN_PHRASE

}  // namespace attn::phrase
