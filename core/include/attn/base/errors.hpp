#pragma once
// Typed errors of the core. Every public function that refuses an argument throws one of these; the
// core never prints and never aborts.

#include <stdexcept>
#include <string>
#include <string_view>

#include "attn/base/phrase.hpp"
#include "attn/base/phrases.hpp"

namespace attn {

/// Base of all errors. An error is data: the argument, what was seen and what is wanted, the last
/// two as phrases with parameters. A page can show it beside the control at fault and in its own
/// language. `what()` is the sentence in English.
class Error : public std::runtime_error {
 public:
  Error(const char* code, std::string_view argument, Wording seen, Wording wanted);

  /// Stable, machine-readable: "shape", "value" or "capacity".
  std::string_view code() const { return code_; }
  /// The argument as the function declares it: "Q", "scale", "feature_map", …
  const std::string& argument() const { return argument_; }
  const Wording& seen() const { return seen_; }
  const Wording& wanted() const { return wanted_; }

 private:
  const char* code_;
  std::string argument_;
  Wording seen_, wanted_;
};

/// A matrix whose shape does not fit the others.
class ShapeError : public Error {
 public:
  ShapeError(std::string_view argument, Wording seen, Wording wanted);
};

/// A value outside its range, an unknown name, or a number that is not finite.
class ValueError : public Error {
 public:
  ValueError(std::string_view argument, Wording seen, Wording wanted);
};

/// A request for more memory or more places than are available.
class CapacityError : public Error {
 public:
  CapacityError(std::string_view argument, Wording seen, Wording wanted);
};

}  // namespace attn
