#pragma once
// What errors of the boundary say (phrases.inc), in attn::phrase.

#include "attn/base/phrase.hpp"

namespace attn::phrase {

#define ATTN_PHRASE ATTN_DECLARE_PHRASE
#include "phrases.inc"
#undef ATTN_PHRASE

}  // namespace attn::phrase
