#pragma once
// What the arrays throw. The messages are NumPy's, because course texts and search engines know
// those; the type is the Python exception that NumPy raises.

#include <stdexcept>
#include <string>

namespace attn::array {

class ArrayError : public std::runtime_error {
 public:
  ArrayError(const char* type, const std::string& message)
      : std::runtime_error(message), type_(type) {}

  /// "ValueError", "IndexError", "TypeError", "AxisError", "MemoryError", "LinAlgError", …
  const char* type() const { return type_; }

 private:
  const char* type_;
};

struct ValueError : ArrayError {
  explicit ValueError(const std::string& message) : ArrayError("ValueError", message) {}
};
struct IndexError : ArrayError {
  explicit IndexError(const std::string& message) : ArrayError("IndexError", message) {}
};
struct TypeError : ArrayError {
  explicit TypeError(const std::string& message) : ArrayError("TypeError", message) {}
};
/// In Python a ValueError and an IndexError at once.
struct AxisError : ArrayError {
  explicit AxisError(const std::string& message) : ArrayError("AxisError", message) {}
};
struct MemoryError : ArrayError {
  explicit MemoryError(const std::string& message) : ArrayError("MemoryError", message) {}
};
struct LinAlgError : ArrayError {
  explicit LinAlgError(const std::string& message) : ArrayError("LinAlgError", message) {}
};

}  // namespace attn::array
