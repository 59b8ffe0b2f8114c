// Prints every declaration of calls/ as JSON. One translation unit: the declarations alone, without
// what they call.

#define ATTN_DESCRIBE

#include <cstdio>

#include "calls/analysis.cpp"
#include "calls/attention.cpp"
#include "calls/base.cpp"
#include "calls/cost.cpp"
#include "calls/heads.cpp"
#include "calls/kernel_machines.cpp"
#include "calls/kernels.cpp"
#include "calls/layers.cpp"
#include "calls/linear_attention.cpp"
#include "calls/mixers.cpp"
#include "calls/models.cpp"

namespace attn::wasm {

std::string js_name(std::string_view name) {
  std::string result;
  write_js_name(name.data(), name.size(), [&](char c) { result += c; });
  return result;
}

std::string object_of(const std::map<std::string, std::string>& entries) {
  std::string all;
  for (const auto& [name, text] : entries) {
    all += (all.empty() ? "" : ",\n") + quoted(name) + ":" + text;
  }
  return "{" + all + "}";
}

}  // namespace attn::wasm

int main() {
  const attn::wasm::Declarations& all = attn::wasm::declarations();
  std::printf(
      "{\"calls\":%s,\n\"structs\":%s,\n\"choices\":%s,\n\"constants\":%s}\n",
      attn::wasm::joined(all.calls, ",\n").c_str(), attn::wasm::object_of(all.structs).c_str(),
      attn::wasm::object_of(all.choices).c_str(), attn::wasm::joined(all.constants, ",\n").c_str());
}
