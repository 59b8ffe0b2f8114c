// What libFuzzer calls. ATTN_FUZZ_TARGET names the function.

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    attn::fuzz::ATTN_FUZZ_TARGET(bytes, size);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "finding: %s\n", error.what());
    std::abort();
  }
  return 0;
}
