#pragma once
// Objects that outlive a call. The page picks the number that a call names one by and never uses it
// twice, so a call can be sent before the one that makes the object has answered.
//
// A declaration says what messages call one, ATTN_KEPT(KvCache<float>, "KvCache"), and has an
// argument of type New<T>, Kept<T> or Gone<T>.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "convert.hpp"

namespace attn::wasm {

/// How many of a kind may be alive, so that a page that never disposes gets a message.
inline constexpr std::size_t kMaxHandles = 256;

template <typename T>
inline constexpr const char* kKeptName = nullptr;
#define ATTN_KEPT(Type, name) \
  template <>                 \
  inline constexpr const char* kKeptName<Type> = name;

/// How many objects of a kind there are.
struct AliveObjects {
  /// What messages call the kind.
  std::string_view kind;
  Index count = 0;
};

/// A function for each kind of which there ever was an object.
inline std::vector<AliveObjects (*)()>& alive_counts() {
  static std::vector<AliveObjects (*)()> all;
  return all;
}

template <typename T>
std::map<std::uint64_t, std::unique_ptr<T>>& kept();
template <typename T>
AliveObjects count_alive() {
  return {kKeptName<T>, static_cast<Index>(kept<T>().size())};
}

template <typename T>
std::map<std::uint64_t, std::unique_ptr<T>>& kept() {
  static std::map<std::uint64_t, std::unique_ptr<T>> alive;
  [[maybe_unused]] static const bool counted = (alive_counts().push_back(count_alive<T>), true);
  return alive;
}

/// The number for an object that is to be made.
template <typename T>
struct New {
  std::uint64_t handle = 0;

  template <typename Made>
  T& keep(Made&& made) const {
    return *kept<T>().emplace(handle, std::make_unique<T>(std::forward<Made>(made))).first->second;
  }
};

/// One that is alive.
template <typename T>
struct Kept {
  T* object = nullptr;

  T* operator->() const { return object; }
  T& operator*() const { return *object; }
};

/// One that there may be no more, and is not after it was read.
template <typename T>
struct Gone {};

/// `kDoes` says what a call with this argument does with the object, for whoever counts those that
/// are alive.
template <typename T>
struct Convert<New<T>> {
  static constexpr const char *kKind = "handle", *kName = kKeptName<T>, *kDoes = "makes";
  static void from_js(const val& value, const Argument& argument, New<T>& to) {
    Convert<std::uint64_t>::from_js(value, argument, to.handle);
    if (kept<T>().contains(to.handle)) {
      throw ValueError(argument.text(), phrase::handle_in_use(to.handle), phrase::new_number);
    }
    if (kept<T>().size() >= kMaxHandles) {
      throw CapacityError(kKeptName<T>, phrase::too_many_alive(kMaxHandles),
                          phrase::dispose_first(kMaxHandles));
    }
  }
};

template <typename T>
struct Convert<Kept<T>> : Convert<New<T>> {
  static constexpr const char* kDoes = "uses";
  static void from_js(const val& value, const Argument& argument, Kept<T>& to) {
    std::uint64_t handle;
    Convert<std::uint64_t>::from_js(value, argument, handle);
    const auto found = kept<T>().find(handle);
    if (found == kept<T>().end()) {
      throw ValueError(argument.text(), phrase::handle_unknown(handle, kKeptName<T>),
                       phrase::handle_alive(kKeptName<T>));
    }
    to.object = found->second.get();
  }
};

template <typename T>
struct Convert<Gone<T>> : Convert<New<T>> {
  static constexpr const char* kDoes = "ends";
  static void from_js(const val& value, const Argument& argument, Gone<T>&) {
    std::uint64_t handle;
    Convert<std::uint64_t>::from_js(value, argument, handle);
    kept<T>().erase(handle);
  }
};

}  // namespace attn::wasm
