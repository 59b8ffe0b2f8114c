#pragma once
// What the errors of this chapter say (phrases.inc), in attn::phrase.

#include "attn/base/phrase.hpp"

namespace attn::phrase {

#define ATTN_PHRASE ATTN_DECLARE_PHRASE
#include "attn/kernels/phrases.inc"
#undef ATTN_PHRASE

}  // namespace attn::phrase
