#include "call.hpp"

#include "attn/linear_attention/map_gradients.hpp"
#include "errors.hpp"

#ifdef ATTN_MODULE_START
// No call of the module takes a gradient.
const bool attn::kMapGradients = false;
#endif

namespace attn::wasm {
namespace {

/// What `work` returns. A C++ exception that nobody catches would reach JavaScript as a bare
/// number.
template <typename Work>
auto guard(Work work) {
  try {
    return work();
  } catch (const std::exception& error) {
    throw_js_error(error);
  }
}

bool step(Work& work, int amount) {
  return guard([&] { return work.step(amount); });
}
double progress(const Work& work) {
  return guard([&] { return work.progress(); });
}
emscripten::val result(const Work& work) {
  return guard([&]() -> emscripten::val { return work.result(); });
}

EMSCRIPTEN_BINDINGS(attn_work) {
  emscripten::class_<Work>("Work")
      .smart_ptr<std::shared_ptr<Work>>("WorkPointer")
      .function("step", &step)
      .function("progress", &progress)
      .function("result", &result);
}

}  // namespace

emscripten::val guarded(emscripten::val (*body)(const val&), emscripten::val input) {
  return guard([&] { return body(std::move(input)); });
}

std::shared_ptr<Work> guarded_work(std::shared_ptr<Work> (*body)(const val&),
                                   emscripten::val input) {
  return guard([&] { return body(std::move(input)); });
}

std::string call_name(const char* prefix, const char* name) {
  std::string result = js_name(name);
  if (*prefix != '\0') result[0] = upper(result[0]);
  return prefix + result;
}

}  // namespace attn::wasm
