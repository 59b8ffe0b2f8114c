#pragma once
// Objects that outlive a call. The page chooses their numbers and never uses one twice: a number
// from before the core was restarted is then unknown, and not that of another object.

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "attn/errors.hpp"
#include "convert.hpp"

namespace attn::wasm {

/// How many of a kind may be alive, so that a page that never disposes gets a message.
inline constexpr std::size_t kMaxHandles = 256;

template <typename Object>
class Handles {
 public:
  /// @param kind what messages call one.
  explicit Handles(const char* kind) : kind_(kind) {}

  /// `make()` under the number `options.handle`.
  /// @throws ValueError for a number in use, CapacityError.
  template <typename Make>
  Object& add(const val& options, Make make) {
    const std::uint64_t handle = seed_from(options, "handle");
    if (alive_.contains(handle)) {
      throw ValueError("handle", std::to_string(handle) + ", which is in use", "a new number");
    }
    if (alive_.size() >= kMaxHandles) {
      throw CapacityError(kind_, "one more than the " + std::to_string(kMaxHandles) + " alive",
                          "at most " + std::to_string(kMaxHandles) + ": dispose of some first");
    }
    return *alive_.emplace(handle, std::make_unique<Object>(make())).first->second;
  }

  /// @throws ValueError when there is none.
  Object& at(const val& options) {
    const std::uint64_t handle = seed_from(options, "handle");
    const auto found = alive_.find(handle);
    if (found != alive_.end()) return *found->second;
    throw ValueError(
        "handle", std::to_string(handle) + ", which no " + kind_ + " has",
        "a " + kind_ + " that is alive; this one was disposed of, or the core was restarted since");
  }

  void remove(const val& options) { alive_.erase(seed_from(options, "handle")); }

 private:
  std::string kind_;
  std::map<std::uint64_t, std::unique_ptr<Object>> alive_;
};

}  // namespace attn::wasm
