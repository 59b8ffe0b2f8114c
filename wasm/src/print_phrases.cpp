// Prints every phrase that C++ declares as a TypeScript module, which other languages are checked
// against: build/wasm/phrases.ts (wasm/CMakeLists.txt).

#include <cstdio>

namespace {

struct Declared {
  const char* id;
  const char* english;
};

#define ATTN_PHRASE(id, english) {#id, english},
constexpr Declared kPhrases[] = {
#include "attn/phrases.inc"
#include "phrases.inc"
};
#undef ATTN_PHRASE

}  // namespace

int main() {
  std::puts("// Made from the phrases.inc of core/ and wasm/ by wasm/src/print_phrases.cpp.\n");
  std::puts("/** What errors of the core say in English, by id. */\nexport const corePhrases = {");
  for (const auto& [id, english] : kPhrases) {
    std::printf("  %s: '", id);
    for (const char* c = english; *c != 0; ++c) std::printf(*c == '\'' ? "\\'" : "%c", *c);
    std::puts("',");
  }
  std::puts("} as const;");
  return 0;
}
