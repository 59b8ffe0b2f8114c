#pragma once
// Numbers in messages. Private to the core.

#include <cstdio>
#include <string>

namespace attn {

inline std::string number_text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%g", x);
  return buffer;
}

}  // namespace attn
