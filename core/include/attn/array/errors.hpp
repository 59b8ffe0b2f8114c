#pragma once
// The errors that arrays throw. The messages are NumPy's, because course texts and search engines
// know them; the type is the Python exception that NumPy raises.

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::array {

/// The error as data, for a page that explains it in its own words: an id, and the parts of the
/// message that those words repeat. Empty for an error that NumPy's message explains well enough.
struct Explained {
  std::string_view id;
  std::vector<std::string> parts;
};

class ArrayError : public std::runtime_error {
 public:
  ArrayError(const char* type, const std::string& message, Explained explained = {})
      : std::runtime_error(message), type_(type), explained_(std::move(explained)) {}

  /// The type's name: "ValueError", "IndexError", "TypeError", "AxisError", "MemoryError",
  /// "LinAlgError", …
  const char* type() const { return type_; }
  const Explained& explained() const { return explained_; }

 private:
  const char* type_;
  Explained explained_;
};

struct ValueError : ArrayError {
  explicit ValueError(const std::string& message, Explained explained = {})
      : ArrayError("ValueError", message, std::move(explained)) {}
};
struct IndexError : ArrayError {
  explicit IndexError(const std::string& message) : ArrayError("IndexError", message) {}
};
struct TypeError : ArrayError {
  explicit TypeError(const std::string& message) : ArrayError("TypeError", message) {}
};
/// In Python an AxisError is both a ValueError and an IndexError.
struct AxisError : ArrayError {
  explicit AxisError(const std::string& message) : ArrayError("AxisError", message) {}
};
struct MemoryError : ArrayError {
  explicit MemoryError(const std::string& message, Explained explained = {})
      : ArrayError("MemoryError", message, std::move(explained)) {}
};
struct LinAlgError : ArrayError {
  explicit LinAlgError(const std::string& message) : ArrayError("LinAlgError", message) {}
};

}  // namespace attn::array
