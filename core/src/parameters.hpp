#pragma once
// The check of named parameters that every registry makes. Private to the core.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "attn/errors.hpp"
#include "text.hpp"

namespace attn::internal {

/// `info` is an entry with an `id` and `parameters` (name, min, max, integer).
/// @throws ValueError for a name the entry does not know, or a value outside its range.
template <typename Info>
void require_parameters(const Info& info,
                        const std::vector<std::pair<std::string, double>>& given) {
  for (const auto& [name, value] : given) {
    decltype(info.parameters.data()) known = nullptr;
    std::string names;
    for (const auto& parameter : info.parameters) {
      if (parameter.name == name) known = &parameter;
      names.append(names.empty() ? "" : ", ").append(parameter.name);
    }
    const std::string argument = "parameter " + name;
    if (!known) {
      throw ValueError(argument, "unknown to " + std::string(info.id),
                       names.empty() ? "no parameters" : "one of " + names);
    }
    const bool whole = !known->integer || value == std::floor(value);
    if (!(value >= known->min && value <= known->max) || !whole) {
      throw ValueError(argument, number_text(value),
                       std::string(known->integer ? "a whole number" : "a number") + " from " +
                           number_text(known->min) + " to " + number_text(known->max));
    }
  }
}

}  // namespace attn::internal
