#pragma once
// The check of named parameters that every registry makes. Private to the core.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "attn/base/errors.hpp"
#include "base/names.hpp"

namespace attn::internal {

/// `info` is an entry with an `id` and `parameters` (name, min, max, integer).
/// @throws ValueError for a name the entry does not know, or a value outside its range.
template <typename Info>
void require_parameters(const Info& info,
                        const std::vector<std::pair<std::string, double>>& given) {
  for (const auto& [name, value] : given) {
    decltype(info.parameters.data()) known = nullptr;
    for (const auto& parameter : info.parameters) {
      if (parameter.name == name) known = &parameter;
    }
    const std::string argument = "parameter " + name;
    if (!known) {
      throw ValueError(argument, phrase::unknown_to(info.id),
                       info.parameters.empty()
                           ? phrase::no_parameters()
                           : phrase::one_of(names_of(info.parameters, [](const auto& parameter) {
                               return parameter.name;
                             })));
    }
    const bool whole = !known->integer || value == std::floor(value);
    if (!(value >= known->min && value <= known->max) || !whole) {
      throw ValueError(argument, phrase::number(value),
                       (known->integer ? phrase::whole_number_from_to : phrase::number_from_to)(
                           known->min, known->max));
    }
  }
}

}  // namespace attn::internal
