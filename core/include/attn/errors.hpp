#pragma once
// Typed errors of the core. Every public function that refuses an argument throws one of these; the
// core never prints and never aborts.

#include <stdexcept>
#include <string>
#include <string_view>

namespace attn {

/// Base of all errors. `what()` is one sentence for people; the parts are there for a page that
/// wants to show the message beside the control at fault.
class Error : public std::runtime_error {
 public:
  Error(std::string_view code, std::string_view argument, std::string_view seen,
        std::string_view wanted);

  /// Stable, machine-readable: "shape", "value" or "capacity".
  const std::string& code() const { return code_; }
  /// The argument as the function declares it: "Q", "scale", "feature_map", …
  const std::string& argument() const { return argument_; }
  const std::string& seen() const { return seen_; }
  const std::string& wanted() const { return wanted_; }

 private:
  std::string code_, argument_, seen_, wanted_;
};

/// A matrix whose shape does not fit the others.
class ShapeError : public Error {
 public:
  ShapeError(std::string_view argument, std::string_view seen, std::string_view wanted)
      : Error("shape", argument, seen, wanted) {}
};

/// A value outside its range, an unknown name, or a number that is not finite.
class ValueError : public Error {
 public:
  ValueError(std::string_view argument, std::string_view seen, std::string_view wanted)
      : Error("value", argument, seen, wanted) {}
};

/// More memory, or more places, than there are.
class CapacityError : public Error {
 public:
  CapacityError(std::string_view argument, std::string_view seen, std::string_view wanted)
      : Error("capacity", argument, seen, wanted) {}
};

}  // namespace attn
