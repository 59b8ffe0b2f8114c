#pragma once
// The names in a list, for an error that lists the known ones. Private to the core.

#include <string>
#include <vector>

namespace attn::internal {

/// The id of a registry's entry.
inline constexpr auto kInfoId = [](const auto& entry) { return entry.info.id; };

/// The id of an object with a member `id`.
inline constexpr auto kOwnId = [](const auto& entry) { return entry.id; };

template <typename List, typename Name = decltype(kOwnId)>
std::vector<std::string> names_of(const List& list, Name name = {}) {
  std::vector<std::string> names;
  for (const auto& entry : list) names.emplace_back(name(entry));
  return names;
}

}  // namespace attn::internal
