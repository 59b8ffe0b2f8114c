#include <algorithm>
#include <cmath>
#include <limits>

#include "arithmetic.hpp"
#include "attn/array/array.hpp"
#include "internal.hpp"

namespace attn::array {
namespace {

enum class Kind { kBoolean, kInteger, kFloating };

Kind kind_of(Dtype dtype) {
  return dtype == Dtype::kBool    ? Kind::kBoolean
         : dtype == Dtype::kInt64 ? Kind::kInteger
                                  : Kind::kFloating;
}

/// Whether float32 suffices for this number. By NumPy's rule its value decides, not its dtype.
bool fits_float32(const Array& scalar) {
  const double value = std::abs(read_double(scalar.data(), scalar.dtype()));
  if (scalar.dtype() == Dtype::kInt64) {
    const double signed_value = read_double(scalar.data(), scalar.dtype());
    return signed_value >= -32768 && signed_value <= 65535;
  }
  return !(value > static_cast<double>(std::numeric_limits<float>::max())) || std::isinf(value);
}

}  // namespace

Dtype promote(Dtype x, Dtype y) {
  if (x == y) return x;
  const Dtype low = std::min(x, y), high = std::max(x, y);
  return low == Dtype::kInt64 && high == Dtype::kFloat32 ? Dtype::kFloat64 : high;
}

Dtype promote(const Array& x, const Array& y) {
  if ((x.rank() == 0) == (y.rank() == 0)) return promote(x.dtype(), y.dtype());
  const Array& scalar = x.rank() == 0 ? x : y;
  const Array& array = x.rank() == 0 ? y : x;
  if (kind_of(scalar.dtype()) > kind_of(array.dtype())) return promote(x.dtype(), y.dtype());
  if (array.dtype() == Dtype::kFloat32 && !fits_float32(scalar)) return Dtype::kFloat64;
  return array.dtype();
}

// ---- Broadcasting -----------------------------------------------------------------------------

namespace {

ValueError not_broadcast(const std::string& shapes) {
  return ValueError("operands could not be broadcast together with shapes " + shapes + " ",
                    {"broadcast_shapes", {shapes}});
}

}  // namespace

Shape broadcast_shapes(const Shape& x, const Shape& y) {
  const Shape& longer = x.rank() >= y.rank() ? x : y;
  const Shape& shorter = x.rank() >= y.rank() ? y : x;
  Shape shape = longer;
  double size = 1;
  for (int back = 1; back <= longer.rank(); ++back) {
    const int axis = longer.rank() - back;
    if (back <= shorter.rank()) {
      const Index other = shorter[shorter.rank() - back];
      if (shape[axis] == 1) {
        shape[axis] = other;
      } else if (other != 1 && other != shape[axis]) {
        throw not_broadcast(x.text() + " " + y.text());
      }
    }
    size *= static_cast<double>(shape[axis]);
  }
  if (size > static_cast<double>(std::numeric_limits<Index>::max()) / 8) {
    const std::string what =
        "an array of shape " + shape.text() + " is more than this machine can count";
    throw MemoryError(what, {"array_memory", {what}});
  }
  return shape;
}

Array broadcast_to(const Array& x, const Shape& shape) {
  bool fits = x.rank() <= shape.rank();
  Shape strides = shape;
  for (int back = 1; fits && back <= shape.rank(); ++back) {
    const int axis = shape.rank() - back;
    if (shape[axis] < 0) {
      throw ValueError("all elements of broadcast shape must be non-negative");
    }
    strides[axis] = 0;
    if (back > x.rank()) continue;
    const Index length = x.shape()[x.rank() - back];
    fits = length == 1 || length == shape[axis];
    if (length == shape[axis]) strides[axis] = x.strides()[x.rank() - back];
  }
  if (!fits) {
    throw ValueError(
        "operands could not be broadcast together with remapped shapes [original->remapped]: " +
        x.shape().text() + "  and requested shape " + shape.text());
  }
  broadcast_shapes(shape, shape);
  Array view = x.with(shape, strides);
  view.set_writeable(false);
  return view;
}

namespace {

Array stretched(const Array& x, const Shape& shape) {
  return x.shape() == shape ? x : broadcast_to(x, shape);
}

// ---- Two operands -----------------------------------------------------------------------------

using Loop = void (*)(char* const* at, const Index* strides, Index count);

/// out = F(x, y), entry by entry.
template <typename T, typename R, typename F>
void binary_loop(char* const* at, const Index* strides, Index count) {
  char *out = at[0], *x = at[1], *y = at[2];
  for (Index i = 0; i < count; ++i) {
    *reinterpret_cast<R*>(out) =
        static_cast<R>(F::of(*reinterpret_cast<T*>(x), *reinterpret_cast<T*>(y)));
    out += strides[0];
    x += strides[1];
    y += strides[2];
  }
}

/// The same for functions that a compiler turns into vector instructions when it knows that entries
/// are neighbours.
template <typename T, typename F>
void fast_loop(char* const* at, const Index* strides, Index count) {
  constexpr Index kStep = sizeof(T);
  T* const out = reinterpret_cast<T*>(at[0]);
  const T* const x = reinterpret_cast<const T*>(at[1]);
  const T* const y = reinterpret_cast<const T*>(at[2]);
  if (strides[0] == kStep && strides[1] == kStep && strides[2] == kStep) {
    for (Index i = 0; i < count; ++i) out[i] = F::of(x[i], y[i]);
  } else if (strides[0] == kStep && strides[1] == kStep && strides[2] == 0) {
    const T value = *y;
    for (Index i = 0; i < count; ++i) out[i] = F::of(x[i], value);
  } else if (strides[0] == kStep && strides[1] == 0 && strides[2] == kStep) {
    const T value = *x;
    for (Index i = 0; i < count; ++i) out[i] = F::of(value, y[i]);
  } else {
    binary_loop<T, T, F>(at, strides, count);
  }
}

struct Subtract {
  template <typename T>
  static T of(T x, T y) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) - static_cast<Wrapping<T>>(y));
  }
};
struct Divide {
  template <typename T>
  static T of(T x, T y) {
    return x / y;
  }
};

/// NumPy's floor_divide and remainder of floats, computed together so that they agree.
template <typename T>
std::pair<T, T> floor_and_remainder(T x, T y) {
  T rest = std::fmod(x, y);
  if (y == 0) return {x / y, rest};
  T quotient = (x - rest) / y;
  if (rest != 0) {
    if ((y < 0) != (rest < 0)) {
      rest += y;
      quotient -= 1;
    }
  } else {
    rest = std::copysign(T(0), y);
  }
  if (quotient == 0) return {std::copysign(T(0), x / y), rest};
  T floor = std::floor(quotient);
  if (quotient - floor > T(0.5)) floor += 1;
  return {floor, rest};
}

struct FloorDivide {
  template <typename T>
  static T of(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      return floor_and_remainder(x, y).first;
    } else {
      if (y == 0) return 0;
      if (y == -1) return Subtract::of(T(0), x);
      return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
    }
  }
};
struct Remainder {
  template <typename T>
  static T of(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      return floor_and_remainder(x, y).second;
    } else {
      if (y == 0 || y == -1) return 0;
      const T rest = x % y;
      return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
    }
  }
};
struct Fmod {
  template <typename T>
  static T of(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fmod(x, y);
    } else {
      return y == 0 || y == -1 ? 0 : x % y;
    }
  }
};
struct Power {
  template <typename T>
  static T of(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::pow(x, y);
    } else {
      T result = 1;
      for (; y > 0; y >>= 1, x = Multiply::of(x, x)) {
        if (y & 1) result = Multiply::of(result, x);
      }
      return result;
    }
  }
};
struct Arctan2 {
  template <typename T>
  static T of(T x, T y) {
    return std::atan2(x, y);
  }
};
struct Hypot {
  template <typename T>
  static T of(T x, T y) {
    return std::hypot(x, y);
  }
};
struct Logaddexp {
  template <typename T>
  static T of(T x, T y) {
    if (x == y) return x + std::log(T(2));
    const T difference = x - y;
    if (difference > 0) return x + std::log1p(std::exp(-difference));
    if (difference <= 0) return y + std::log1p(std::exp(difference));
    return difference;
  }
};
struct Copysign {
  template <typename T>
  static T of(T x, T y) {
    return std::copysign(x, y);
  }
};
struct Equal {
  template <typename T>
  static bool of(T x, T y) {
    return x == y;
  }
};
struct NotEqual {
  template <typename T>
  static bool of(T x, T y) {
    return x != y;
  }
};
struct Less {
  template <typename T>
  static bool of(T x, T y) {
    return x < y;
  }
};
struct LessEqual {
  template <typename T>
  static bool of(T x, T y) {
    return x <= y;
  }
};
struct LogicalAnd {
  static bool of(bool x, bool y) { return x && y; }
};
struct LogicalOr {
  static bool of(bool x, bool y) { return x || y; }
};
struct LogicalXor {
  static bool of(bool x, bool y) { return x != y; }
};
struct BitwiseAnd {
  template <typename T>
  static T of(T x, T y) {
    return static_cast<T>(x & y);
  }
};
struct BitwiseOr {
  template <typename T>
  static T of(T x, T y) {
    return static_cast<T>(x | y);
  }
};
struct BitwiseXor {
  template <typename T>
  static T of(T x, T y) {
    return static_cast<T>(x ^ y);
  }
};
struct LeftShift {
  static std::int64_t of(std::int64_t x, std::int64_t y) {
    return y < 0 || y > 63 ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << y);
  }
};
struct RightShift {
  static std::int64_t of(std::int64_t x, std::int64_t y) { return x >> (y < 0 || y > 63 ? 63 : y); }
};

/// The dtype in which an operation computes, and the dtype of its result.
enum class Rule : std::uint8_t {
  /// Computes in the common dtype, and the result has it too.
  kSame,
  /// As kSame, but booleans become integers first.
  kNumber,
  /// Booleans and integers become float64 first.
  kFloat,
  /// Computes in the common dtype, and the result is boolean.
  kCompare,
  /// Every dtype becomes boolean first.
  kLogical,
  /// Booleans and integers only.
  kBits,
  /// Integers only; booleans become integers.
  kShift
};

struct BinaryOperation {
  const char* name;
  Rule rule;
  Loop loops[4];
};

template <typename F>
constexpr BinaryOperation arithmetic(const char* name, Loop boolean) {
  return {name,
          Rule::kSame,
          {boolean, fast_loop<std::int64_t, F>, fast_loop<float, F>, fast_loop<double, F>}};
}
/// The same without vector instructions, for rare operations.
template <typename F>
constexpr BinaryOperation rare_arithmetic(const char* name, Loop boolean) {
  return {name,
          Rule::kSame,
          {boolean, binary_loop<std::int64_t, std::int64_t, F>, binary_loop<float, float, F>,
           binary_loop<double, double, F>}};
}
template <typename F>
constexpr BinaryOperation number(const char* name) {
  return {name,
          Rule::kNumber,
          {nullptr, binary_loop<std::int64_t, std::int64_t, F>, binary_loop<float, float, F>,
           binary_loop<double, double, F>}};
}
template <typename F>
constexpr BinaryOperation floating(const char* name) {
  return {name,
          Rule::kFloat,
          {nullptr, nullptr, binary_loop<float, float, F>, binary_loop<double, double, F>}};
}
template <typename F>
constexpr BinaryOperation comparison(const char* name) {
  return {name,
          Rule::kCompare,
          {binary_loop<bool, bool, F>, binary_loop<std::int64_t, bool, F>,
           binary_loop<float, bool, F>, binary_loop<double, bool, F>}};
}
template <typename F>
constexpr BinaryOperation logical(const char* name) {
  return {name, Rule::kLogical, {binary_loop<bool, bool, F>, nullptr, nullptr, nullptr}};
}
template <typename F>
constexpr BinaryOperation bits(const char* name) {
  return {
      name,
      Rule::kBits,
      {binary_loop<bool, bool, F>, binary_loop<std::int64_t, std::int64_t, F>, nullptr, nullptr}};
}

/// Swaps the operands, so that a > b is computed as b < a.
template <typename F>
struct Swapped {
  template <typename T>
  static bool of(T x, T y) {
    return F::of(y, x);
  }
};

const BinaryOperation kBinaryOperations[] = {
    arithmetic<Add>("add", binary_loop<bool, bool, LogicalOr>),
    arithmetic<Subtract>("subtract", nullptr),
    arithmetic<Multiply>("multiply", binary_loop<bool, bool, LogicalAnd>),
    {"divide",
     Rule::kFloat,
     {nullptr, nullptr, fast_loop<float, Divide>, fast_loop<double, Divide>}},
    number<FloorDivide>("floor_divide"),
    number<Remainder>("remainder"),
    number<Fmod>("fmod"),
    number<Power>("power"),
    arithmetic<Maximum>("maximum", binary_loop<bool, bool, LogicalOr>),
    arithmetic<Minimum>("minimum", binary_loop<bool, bool, LogicalAnd>),
    rare_arithmetic<Fmax>("fmax", binary_loop<bool, bool, LogicalOr>),
    rare_arithmetic<Fmin>("fmin", binary_loop<bool, bool, LogicalAnd>),
    floating<Arctan2>("arctan2"),
    floating<Hypot>("hypot"),
    floating<Logaddexp>("logaddexp"),
    floating<Copysign>("copysign"),
    comparison<Equal>("equal"),
    comparison<NotEqual>("not_equal"),
    comparison<Less>("less"),
    comparison<LessEqual>("less_equal"),
    comparison<Swapped<Less>>("greater"),
    comparison<Swapped<LessEqual>>("greater_equal"),
    logical<LogicalAnd>("logical_and"),
    logical<LogicalOr>("logical_or"),
    logical<LogicalXor>("logical_xor"),
    bits<BitwiseAnd>("bitwise_and"),
    bits<BitwiseOr>("bitwise_or"),
    bits<BitwiseXor>("bitwise_xor"),
    {"left_shift",
     Rule::kShift,
     {nullptr, binary_loop<std::int64_t, std::int64_t, LeftShift>, nullptr, nullptr}},
    {"right_shift",
     Rule::kShift,
     {nullptr, binary_loop<std::int64_t, std::int64_t, RightShift>, nullptr, nullptr}},
};
static_assert(std::size(kBinaryOperations) == static_cast<std::size_t>(Binary::kCount));

[[noreturn]] void refuse_types(const char* name) {
  throw TypeError(std::string("ufunc '") + name +
                  "' not supported for the input types, and the inputs could not be safely "
                  "coerced to any supported types according to the casting rule ''safe''");
}

/// The dtype in which the operation computes.
Dtype computed_in(const BinaryOperation& operation, Dtype common) {
  const bool is_bool = common == Dtype::kBool;
  switch (operation.rule) {
    case Rule::kSame:
      if (is_bool && operation.loops[0] == nullptr) {
        throw TypeError(
            "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the "
            "`^` operator, or the logical_xor function instead.");
      }
      return common;
    case Rule::kCompare:
      return common;
    case Rule::kNumber:
      return is_bool ? Dtype::kInt64 : common;
    case Rule::kFloat:
      return is_float(common) ? common : Dtype::kFloat64;
    case Rule::kLogical:
      return Dtype::kBool;
    case Rule::kBits:
      if (is_float(common)) refuse_types(operation.name);
      return common;
    case Rule::kShift:
      break;
  }
  if (is_float(common)) refuse_types(operation.name);
  return Dtype::kInt64;
}

Dtype result_of(const BinaryOperation& operation, Dtype computed) {
  return operation.rule == Rule::kCompare || operation.rule == Rule::kLogical ? Dtype::kBool
                                                                              : computed;
}

bool any_negative(const Array& x) {
  bool found = false;
  each_entry(x, [&](const char* at) { found |= *reinterpret_cast<const std::int64_t*>(at) < 0; });
  return found;
}

void run_binary(const BinaryOperation& operation, const Array& out, const Array& x, const Array& y,
                Dtype computed) {
  const Array left = stretched(as(x, computed), out.shape());
  const Array right = stretched(as(y, computed), out.shape());
  if (&operation == &kBinaryOperations[static_cast<int>(Binary::kPower)] &&
      computed == Dtype::kInt64 && any_negative(right)) {
    throw ValueError("Integers to negative integer powers are not allowed.");
  }
  Walk<3>(out.shape(), {&out, &left, &right}).run(operation.loops[static_cast<int>(computed)]);
  note_touched(out.size() + x.size() + y.size());
}

}  // namespace

const char* name_of(Binary op) { return kBinaryOperations[static_cast<int>(op)].name; }

Array apply(Binary op, const Array& x, const Array& y) {
  const BinaryOperation& operation = kBinaryOperations[static_cast<int>(op)];
  const Dtype computed = computed_in(operation, promote(x, y));
  const Shape shape = broadcast_shapes(x.shape(), y.shape());
  if (op == Binary::kPower && y.rank() == 0 && is_float(computed) && x.rank() > 0) {
    // NumPy has shortcuts for x ** 2 and similar powers, which round differently than pow.
    const double exponent = read_double(y.data(), y.dtype());
    if (exponent == 2) return apply(Unary::kSquare, as(x, computed));
    if (exponent == 0.5) return apply(Unary::kSqrt, as(x, computed));
    if (exponent == -1) return apply(Unary::kReciprocal, as(x, computed));
  }
  Array out = Array::allocate(shape, result_of(operation, computed));
  run_binary(operation, out, x, y, computed);
  return out;
}

void apply_in_place(Binary op, const Array& x, const Array& y) {
  check_writeable(x, "output array is read-only");
  const BinaryOperation& operation = kBinaryOperations[static_cast<int>(op)];
  const Dtype computed = computed_in(operation, promote(x, y));
  const Shape shape = broadcast_shapes(x.shape(), y.shape());
  if (!(shape == x.shape())) {
    throw ValueError("non-broadcastable output operand with shape " + x.shape().text() +
                     " doesn't match the broadcast shape " + shape.text());
  }
  const Dtype result = result_of(operation, computed);
  if (kind_of(result) > kind_of(x.dtype())) {
    throw ArrayError("UFuncTypeError", std::string("Cannot cast ufunc '") + operation.name +
                                           "' output from dtype('" + name_of(result) +
                                           "') to dtype('" + name_of(x.dtype()) +
                                           "') with casting rule 'same_kind'");
  }
  if (result == x.dtype() && !overlap(x, stretched(y, shape))) {
    run_binary(operation, x, x, y, computed);
    return;
  }
  Array out = Array::allocate(shape, result);
  run_binary(operation, out, x, y, computed);
  copy_into(x, out);
}

// ---- One operand ------------------------------------------------------------------------------

namespace {

template <typename T, typename R, typename F>
void unary_loop(char* const* at, const Index* strides, Index count) {
  char *out = at[0], *x = at[1];
  if (strides[0] == sizeof(R) && strides[1] == sizeof(T)) {
    for (Index i = 0; i < count; ++i) {
      reinterpret_cast<R*>(out)[i] = static_cast<R>(F::of(reinterpret_cast<T*>(x)[i]));
    }
    return;
  }
  for (Index i = 0; i < count; ++i, out += strides[0], x += strides[1]) {
    *reinterpret_cast<R*>(out) = static_cast<R>(F::of(*reinterpret_cast<T*>(x)));
  }
}

/// Wraps a C++ function of floats in a struct, so that a loop is compiled for it.
#define ATTN_FLOAT_FUNCTION(Name, expression) \
  struct Name {                               \
    template <typename T>                     \
    static T of(T x) {                        \
      return expression;                      \
    }                                         \
  };
ATTN_FLOAT_FUNCTION(Sqrt, std::sqrt(x))
ATTN_FLOAT_FUNCTION(Cbrt, std::cbrt(x))
ATTN_FLOAT_FUNCTION(Exp, std::exp(x))
ATTN_FLOAT_FUNCTION(Exp2, std::exp2(x))
ATTN_FLOAT_FUNCTION(Expm1, std::expm1(x))
ATTN_FLOAT_FUNCTION(Log, std::log(x))
ATTN_FLOAT_FUNCTION(Log2, std::log2(x))
ATTN_FLOAT_FUNCTION(Log10, std::log10(x))
ATTN_FLOAT_FUNCTION(Log1p, std::log1p(x))
ATTN_FLOAT_FUNCTION(Sin, std::sin(x))
ATTN_FLOAT_FUNCTION(Cos, std::cos(x))
ATTN_FLOAT_FUNCTION(Tan, std::tan(x))
ATTN_FLOAT_FUNCTION(Arcsin, std::asin(x))
ATTN_FLOAT_FUNCTION(Arccos, std::acos(x))
ATTN_FLOAT_FUNCTION(Arctan, std::atan(x))
ATTN_FLOAT_FUNCTION(Sinh, std::sinh(x))
ATTN_FLOAT_FUNCTION(Cosh, std::cosh(x))
ATTN_FLOAT_FUNCTION(Tanh, std::tanh(x))
ATTN_FLOAT_FUNCTION(Arcsinh, std::asinh(x))
ATTN_FLOAT_FUNCTION(Arccosh, std::acosh(x))
ATTN_FLOAT_FUNCTION(Arctanh, std::atanh(x))
ATTN_FLOAT_FUNCTION(Erf, std::erf(x))
ATTN_FLOAT_FUNCTION(Floor, std::floor(x))
ATTN_FLOAT_FUNCTION(Ceil, std::ceil(x))
ATTN_FLOAT_FUNCTION(Trunc, std::trunc(x))
ATTN_FLOAT_FUNCTION(Rint, std::nearbyint(x))
ATTN_FLOAT_FUNCTION(Degrees, x* static_cast<T>(180.0 / 3.14159265358979323846))
ATTN_FLOAT_FUNCTION(Radians, x* static_cast<T>(3.14159265358979323846 / 180.0))
ATTN_FLOAT_FUNCTION(Negative, Subtract::of(T(-0.0), x))
ATTN_FLOAT_FUNCTION(Positive, x)
ATTN_FLOAT_FUNCTION(Square, Multiply::of(x, x))
#undef ATTN_FLOAT_FUNCTION

struct Reciprocal {
  template <typename T>
  static T of(T x) {
    if constexpr (std::is_integral_v<T>) {
      if (x == 0) return std::numeric_limits<T>::min();
    }
    return static_cast<T>(T(1) / x);
  }
};
struct Absolute {
  template <typename T>
  static T of(T x) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::abs(x);
    } else {
      return x < 0 ? Negative::of(x) : x;
    }
  }
};
struct Sign {
  template <typename T>
  static T of(T x) {
    return x > 0 ? T(1) : x < 0 ? T(-1) : x;
  }
};
struct Isnan {
  template <typename T>
  static bool of(T x) {
    return x != x;
  }
};
struct Isinf {
  template <typename T>
  static bool of(T x) {
    return std::isinf(static_cast<double>(x));
  }
};
struct Isfinite {
  template <typename T>
  static bool of(T x) {
    return std::isfinite(static_cast<double>(x));
  }
};
struct Signbit {
  template <typename T>
  static bool of(T x) {
    return std::signbit(x);
  }
};
struct Not {
  static bool of(bool x) { return !x; }
};
struct Complement {
  static std::int64_t of(std::int64_t x) { return ~x; }
};

struct UnaryOperation {
  const char* name;
  Rule rule;
  Loop loops[4];
};

template <typename F>
constexpr UnaryOperation float_function(const char* name) {
  return {name,
          Rule::kFloat,
          {nullptr, nullptr, unary_loop<float, float, F>, unary_loop<double, double, F>}};
}
template <typename F>
constexpr UnaryOperation number_function(const char* name, Rule rule = Rule::kNumber,
                                         Loop boolean = nullptr) {
  return {name,
          rule,
          {boolean, unary_loop<std::int64_t, std::int64_t, F>, unary_loop<float, float, F>,
           unary_loop<double, double, F>}};
}
template <typename F>
constexpr UnaryOperation question(const char* name) {
  return {name,
          Rule::kCompare,
          {unary_loop<bool, bool, F>, unary_loop<std::int64_t, bool, F>, unary_loop<float, bool, F>,
           unary_loop<double, bool, F>}};
}

const UnaryOperation kUnaryOperations[] = {
    number_function<Negative>("negative", Rule::kSame),
    number_function<Positive>("positive", Rule::kSame, unary_loop<bool, bool, Positive>),
    number_function<Absolute>("absolute", Rule::kSame, unary_loop<bool, bool, Positive>),
    number_function<Sign>("sign"),
    number_function<Square>("square"),
    float_function<Sqrt>("sqrt"),
    float_function<Cbrt>("cbrt"),
    number_function<Reciprocal>("reciprocal"),
    float_function<Exp>("exp"),
    float_function<Exp2>("exp2"),
    float_function<Expm1>("expm1"),
    float_function<Log>("log"),
    float_function<Log2>("log2"),
    float_function<Log10>("log10"),
    float_function<Log1p>("log1p"),
    float_function<Sin>("sin"),
    float_function<Cos>("cos"),
    float_function<Tan>("tan"),
    float_function<Arcsin>("arcsin"),
    float_function<Arccos>("arccos"),
    float_function<Arctan>("arctan"),
    float_function<Sinh>("sinh"),
    float_function<Cosh>("cosh"),
    float_function<Tanh>("tanh"),
    float_function<Arcsinh>("arcsinh"),
    float_function<Arccosh>("arccosh"),
    float_function<Arctanh>("arctanh"),
    float_function<Erf>("erf"),
    float_function<Floor>("floor"),
    float_function<Ceil>("ceil"),
    float_function<Trunc>("trunc"),
    float_function<Rint>("rint"),
    float_function<Degrees>("degrees"),
    float_function<Radians>("radians"),
    question<Isnan>("isnan"),
    question<Isinf>("isinf"),
    question<Isfinite>("isfinite"),
    {"signbit",
     Rule::kCompare,
     {nullptr, nullptr, unary_loop<float, bool, Signbit>, unary_loop<double, bool, Signbit>}},
    {"logical_not", Rule::kLogical, {unary_loop<bool, bool, Not>, nullptr, nullptr, nullptr}},
    {"invert",
     Rule::kBits,
     {unary_loop<bool, bool, Not>, unary_loop<std::int64_t, std::int64_t, Complement>, nullptr,
      nullptr}},
};
static_assert(std::size(kUnaryOperations) == static_cast<std::size_t>(Unary::kCount));

}  // namespace

const char* name_of(Unary op) { return kUnaryOperations[static_cast<int>(op)].name; }

Array apply(Unary op, const Array& x) {
  const UnaryOperation& operation = kUnaryOperations[static_cast<int>(op)];
  Dtype computed = x.dtype();
  switch (operation.rule) {
    case Rule::kNumber:
      if (computed == Dtype::kBool) computed = Dtype::kInt64;
      break;
    case Rule::kFloat:
      if (!is_float(computed)) computed = Dtype::kFloat64;
      break;
    case Rule::kLogical:
      computed = Dtype::kBool;
      break;
    default:
      break;
  }
  // signbit exists for floats only.
  if (op == Unary::kSignbit && !is_float(computed)) computed = Dtype::kFloat64;
  const Loop loop = operation.loops[static_cast<int>(computed)];
  if (op == Unary::kNegative && loop == nullptr) {
    throw TypeError(
        "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or "
        "the logical_not function instead.");
  }
  if (loop == nullptr) refuse_types(operation.name);
  const bool is_question = operation.rule == Rule::kCompare || operation.rule == Rule::kLogical;
  const Array out = Array::allocate(x.shape(), is_question ? Dtype::kBool : computed);
  const Array in = as(x, computed);
  Walk<2>(x.shape(), {&out, &in}).run(loop);
  note_touched(2 * x.size());
  return out;
}

// ---- Choosing ---------------------------------------------------------------------------------

Array where(const Array& condition, const Array& x, const Array& y) {
  Shape shape;
  try {
    shape = broadcast_shapes(condition.shape(), broadcast_shapes(x.shape(), y.shape()));
  } catch (const ValueError&) {
    throw not_broadcast(condition.shape().text() + " " + x.shape().text() + " " + y.shape().text());
  }
  const Dtype dtype = promote(x, y);
  const Array out = Array::allocate(shape, dtype);
  const Array flags = stretched(as(condition, Dtype::kBool), shape);
  const Array yes = stretched(as(x, dtype), shape), no = stretched(as(y, dtype), shape);
  with_type(dtype, [&](auto tag) {
    using T = decltype(tag);
    Walk<4>(shape, {&out, &flags, &yes, &no})
        .run([](char* const* at, const Index* strides, Index count) {
          for (Index i = 0; i < count; ++i) {
            const bool flag = *reinterpret_cast<bool*>(at[1] + i * strides[1]);
            *reinterpret_cast<T*>(at[0] + i * strides[0]) =
                *reinterpret_cast<T*>(flag ? at[2] + i * strides[2] : at[3] + i * strides[3]);
          }
        });
  });
  note_touched(out.size() + condition.size() + x.size() + y.size());
  return out;
}

Array clip(const Array& x, std::optional<Array> low, std::optional<Array> high) {
  if (!low && !high) throw ValueError("One of max or min must be given");
  Array out = low ? maximum(x, *low) : x;
  return high ? minimum(out, *high) : out;
}

Array round(const Array& x, int decimals) {
  if (!is_float(x.dtype())) {
    if (decimals >= 0) return x.copy();
    return as(round(x.astype(Dtype::kFloat64), decimals), Dtype::kInt64);
  }
  if (decimals == 0) return apply(Unary::kRint, x);
  // NumPy scales the numbers, rounds them, and scales them back.
  const Array unit(std::pow(10.0, std::abs(decimals)));
  return decimals > 0 ? apply(Unary::kRint, x * unit) / unit : apply(Unary::kRint, x / unit) * unit;
}

Array nan_to_num(const Array& x, double nan, std::optional<double> positive,
                 std::optional<double> negative) {
  Array out = x.copy();
  if (!is_float(x.dtype())) return out;
  const double largest = x.dtype() == Dtype::kFloat32
                             ? static_cast<double>(std::numeric_limits<float>::max())
                             : std::numeric_limits<double>::max();
  each_entry(out, [&](char* at) {
    const double value = read_double(at, out.dtype());
    if (std::isnan(value)) write_double(at, out.dtype(), nan);
    if (std::isinf(value)) {
      write_double(at, out.dtype(),
                   value > 0 ? positive.value_or(largest) : negative.value_or(-largest));
    }
  });
  return out;
}

}  // namespace attn::array
