#include "attn/errors.hpp"

namespace attn {
namespace {

std::string sentence(std::string_view argument, std::string_view seen, std::string_view wanted) {
  std::string text(argument);
  text.append(" is ").append(seen).append("; wanted: ").append(wanted);
  return text;
}

}  // namespace

Error::Error(std::string_view code, std::string_view argument, std::string_view seen,
             std::string_view wanted)
    : std::runtime_error(sentence(argument, seen, wanted)),
      code_(code),
      argument_(argument),
      seen_(seen),
      wanted_(wanted) {}

}  // namespace attn
