#pragma once
// Declares the phrases of this chapter's errors (phrases.inc) in attn::phrase.

#include "attn/base/phrase.hpp"

namespace attn::phrase {

#define ATTN_PHRASE ATTN_DECLARE_PHRASE
#include "attn/heads/phrases.inc"
#undef ATTN_PHRASE

}  // namespace attn::phrase
