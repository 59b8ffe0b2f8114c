#pragma once
// Finds the entry of a registry by its id. Private to the core.

#include <string_view>

#include "attn/base/errors.hpp"
#include "base/names.hpp"

namespace attn::internal {

/// The entry whose `info.id` is `id`. Nothing is allocated when there is one.
/// @throws ValueError listing the known ids.
template <typename Entries>
const auto& find_by_id(std::string_view argument, std::string_view id, const Entries& entries) {
  for (const auto& entry : entries) {
    if (entry.info.id == id) return entry;
  }
  throw ValueError(argument, phrase::quoted(id), phrase::one_of(names_of(entries, kInfoId)));
}

}  // namespace attn::internal
