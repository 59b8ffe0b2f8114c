#pragma once
// NumPy's arrays in C++: strided views, broadcasting, dtypes and their promotion, NumPy's messages.
//
//   Array scores = matmul(Q, transpose(K)) / std::sqrt(d_k);
//   Array weights = exp(scores - max(scores, -1, true));
//   weights = weights / sum(weights, -1, true);
//   out.row(t) = matmul(q, S);
//
// An Array behaves like a name in Python: copying it shares the entries, and a slice is a view into
// them. `copy()` makes new entries. All work is counted (counts.hpp).

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "attn/array/counts.hpp"
#include "attn/array/errors.hpp"

namespace attn::array {

using Index = std::ptrdiff_t;
inline constexpr int kMaxRank = 8;

enum class Dtype : std::uint8_t { kBool, kInt64, kFloat32, kFloat64 };
/// "bool", "int64", "float32", "float64".
const char* name_of(Dtype dtype);
Index size_of(Dtype dtype);

/// A shape of at most kMaxRank lengths, also used for strides and axes: `{3, 4}`.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<Index> lengths) : Shape(lengths.begin(), lengths.end()) {}
  Shape(const Index* begin, const Index* end);
  Shape(const std::vector<Index>& lengths)
      : Shape(lengths.data(), lengths.data() + lengths.size()) {}

  int rank() const { return rank_; }
  bool empty() const { return rank_ == 0; }
  Index operator[](int axis) const { return lengths_[static_cast<std::size_t>(axis)]; }
  Index& operator[](int axis) { return lengths_[static_cast<std::size_t>(axis)]; }
  const Index* begin() const { return lengths_.data(); }
  const Index* end() const { return lengths_.data() + rank_; }
  Index back() const { return (*this)[rank_ - 1]; }
  void push_back(Index length);
  void insert(int axis, Index length);
  void erase(int axis);
  /// The number of entries of an array of this shape.
  Index size() const;
  /// The shape as NumPy prints it: "(3,4)", "(5,)", "()".
  std::string text() const;
  friend bool operator==(const Shape& a, const Shape& b);

 private:
  std::array<Index, kMaxRank> lengths_{};
  int rank_ = 0;
};

/// The axes of a reduction: none given (all of them), one, or several; negative ones count from the
/// end.
class Axes {
 public:
  Axes() = default;
  Axes(std::nullopt_t) {}
  Axes(int axis) : all_(false), axes_{axis} {}
  Axes(std::initializer_list<Index> axes) : all_(false), axes_(axes) {}
  explicit Axes(const Shape& axes) : all_(false), axes_(axes) {}
  bool all() const { return all_; }
  const Shape& axes() const { return axes_; }

 private:
  bool all_ = true;
  Shape axes_;
};

struct Storage;
class Array;

/// Shares a block of memory; the last owner frees it.
class StorageRef {
 public:
  StorageRef() = default;
  explicit StorageRef(Storage* owned) : storage_(owned) {}
  StorageRef(const StorageRef& other);
  StorageRef(StorageRef&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  StorageRef& operator=(StorageRef other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~StorageRef();
  bool shared() const;
  friend bool operator==(const StorageRef& a, const StorageRef& b) {
    return a.storage_ == b.storage_;
  }

 private:
  Storage* storage_ = nullptr;
};

/// An entry of an array, which can be read as a number and assigned. Both are counted.
class Element {
 public:
  Element(const Element&) = default;
  operator double() const;
  Element& operator=(double value);
  // Reads before it writes. NOLINTNEXTLINE(bugprone-unhandled-self-assignment)
  Element& operator=(const Element& other) { return *this = static_cast<double>(other); }
  Element& operator+=(double value) { return *this = *this + value; }
  Element& operator-=(double value) { return *this = *this - value; }
  Element& operator*=(double value) { return *this = *this * value; }
  Element& operator/=(double value) { return *this = *this / value; }

 private:
  friend class Array;
  Element(char* at, Dtype dtype, bool writeable) : at_(at), dtype_(dtype), writeable_(writeable) {}
  char* at_;
  Dtype dtype_;
  bool writeable_;
};

class Array {
 public:
  /// An array without entries: shape (0,).
  Array();
  /// A number is an array of rank 0, so that `x * 2.0` and `maximum(x, 0.0)` work. As in NumPy, a
  /// number does not turn a float32 array into a float64 one.
  Array(double value);
  Array(float value);
  Array(bool value);
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
  Array(T value) : Array(integer(static_cast<std::int64_t>(value))) {}
  Array(const Element& element) : Array(static_cast<double>(element)) {}

  Array(const Array& other);
  Array(Array&& other) noexcept;
  Array& operator=(const Array& other) &;
  Array& operator=(Array&& other) & noexcept;
  ~Array();
  /// Assigns to a view: `x.row(3) = y` writes y, broadcast, into x.
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): assign() sees to overlap.
  void operator=(const Array& value) && { assign(value); }

  const Shape& shape() const { return shape_; }
  /// The length of one axis; a negative axis counts from the end.
  Index shape(int axis) const;
  int rank() const { return shape_.rank(); }
  Index size() const { return shape_.size(); }
  Dtype dtype() const { return dtype_; }

  /// `x(i, j)`: one index for each axis; negative ones count from the end.
  template <typename... I>
  double operator()(I... indices) const {
    const Index list[] = {static_cast<Index>(indices)..., 0};
    return static_cast<double>(element(list, static_cast<int>(sizeof...(I))));
  }
  template <typename... I>
  Element operator()(I... indices) {
    const Index list[] = {static_cast<Index>(indices)..., 0};
    return element(list, static_cast<int>(sizeof...(I)));
  }
  /// The only entry of an array with exactly one.
  double item() const;
  explicit operator double() const { return item(); }
  /// All entries, row by row. A double cannot hold every int64 beyond 2⁵³; `integers` can.
  std::vector<double> values() const;
  /// All entries of an array of integers or booleans, row by row.
  std::vector<std::int64_t> integers() const;

  // Views: the following functions return arrays that share the entries.
  /// `x[i]`: along the first axis.
  Array operator[](Index i) const { return take_at(0, i); }
  Array row(Index i) const { return take_at(0, i); }
  /// `x[:, j]`, along the last axis.
  Array col(Index j) const { return take_at(-1, j); }
  /// `x[begin:end]` and `x[..., begin:end]` with Python's rules: bounds beyond the end are clamped,
  /// and negative ones count from the end.
  Array rows(Index begin, Index end) const { return slice(0, begin, end); }
  Array cols(Index begin, Index end) const { return slice(-1, begin, end); }
  Array slice(int axis, std::optional<Index> begin, std::optional<Index> end, Index step = 1) const;
  /// `np.take(x, i, axis)` as a view, which no longer has that axis.
  Array take_at(int axis, Index i) const;

  /// The same entries with another shape; one length may be -1. Copies the entries where strides
  /// allow no view.
  Array reshape(const Shape& shape) const;
  Array ravel() const { return reshape({-1}); }
  Array astype(Dtype dtype) const;
  Array copy() const;

  /// Writes `value`, broadcast and cast to this dtype, into these entries.
  void assign(const Array& value) const;
  /// Operations in place, as in NumPy: the dtype does not change.
  const Array& operator+=(const Array& other) const;
  const Array& operator-=(const Array& other) const;
  const Array& operator*=(const Array& other) const;
  const Array& operator/=(const Array& other) const;

  // Functions for code that implements operations, not for exercises: they count nothing.
  static Array allocate(const Shape& shape, Dtype dtype);
  Array(StorageRef storage, char* data, const Shape& shape, const Shape& strides, Dtype dtype);
  char* data() const { return data_; }
  /// The strides, in bytes.
  const Shape& strides() const { return strides_; }
  const StorageRef& storage() const { return storage_; }
  /// Whether another Array has the same entries.
  bool shared() const { return storage_.shared(); }
  bool contiguous() const;
  /// Whether entries may be assigned. Views inherit this. A result of `broadcast_to` is read-only,
  /// because one of its entries has several places.
  bool writeable() const { return writeable_; }
  void set_writeable(bool writeable) { writeable_ = writeable; }
  Array with(const Shape& shape, const Shape& strides, Index offset = 0) const;

 private:
  static Array integer(std::int64_t value);
  Element element(const Index* indices, int count) const;

  StorageRef storage_;
  char* data_ = nullptr;
  Shape shape_, strides_;
  Dtype dtype_ = Dtype::kFloat64;
  bool writeable_ = true;
};

// ---- Making -----------------------------------------------------------------------------------

Array full(const Shape& shape, const Array& value, std::optional<Dtype> dtype = {});
Array zeros(const Shape& shape, Dtype dtype = Dtype::kFloat64);
Array ones(const Shape& shape, Dtype dtype = Dtype::kFloat64);
Array zeros_like(const Array& x);
Array ones_like(const Array& x);
Array full_like(const Array& x, double value);
/// Ones on the k-th diagonal of an n×m matrix; m is n when left out.
Array eye(Index n, std::optional<Index> m = {}, Index k = 0, Dtype dtype = Dtype::kFloat64);
/// The numbers start, start + step, … below stop. `arange(n)` has integers, as in NumPy.
Array arange(Index stop);
Array arange(double start, double stop, double step = 1, Dtype dtype = Dtype::kFloat64);
Array linspace(double start, double stop, Index count = 50, bool endpoint = true);
/// `array({1, 2, 3})`, `array({{1, 2}, {3, 4}})`: float64.
Array array(std::initializer_list<double> values);
Array array(std::initializer_list<std::initializer_list<double>> rows);
/// An array of the given shape from row-major entries.
Array array(const std::vector<double>& values, const Shape& shape, Dtype dtype = Dtype::kFloat64);
/// An n×m matrix with 1 where column ≤ row + k, and 0 elsewhere.
Array tri(Index n, std::optional<Index> m = {}, Index k = 0, Dtype dtype = Dtype::kFloat64);

// ---- Entry by entry ---------------------------------------------------------------------------

/// The dtype of x op y in NumPy 1.24, where a rank-0 operand weighs less than an array.
Dtype promote(const Array& x, const Array& y);
Dtype promote(Dtype x, Dtype y);
/// The common shape, or ValueError "operands could not be broadcast together with shapes …".
Shape broadcast_shapes(const Shape& x, const Shape& y);
/// A view with that shape; stretched axes have stride 0. It cannot be written to.
Array broadcast_to(const Array& x, const Shape& shape);

enum class Unary : std::uint8_t {
  kNegative,
  kPositive,
  kAbsolute,
  kSign,
  kSquare,
  kSqrt,
  kCbrt,
  kReciprocal,
  kExp,
  kExp2,
  kExpm1,
  kLog,
  kLog2,
  kLog10,
  kLog1p,
  kSin,
  kCos,
  kTan,
  kArcsin,
  kArccos,
  kArctan,
  kSinh,
  kCosh,
  kTanh,
  kArcsinh,
  kArccosh,
  kArctanh,
  kErf,
  kFloor,
  kCeil,
  kTrunc,
  kRint,
  kDegrees,
  kRadians,
  kIsnan,
  kIsinf,
  kIsfinite,
  kSignbit,
  kLogicalNot,
  kInvert,
  kCount
};
enum class Binary : std::uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kRemainder,
  kFmod,
  kPower,
  kMaximum,
  kMinimum,
  kFmax,
  kFmin,
  kArctan2,
  kHypot,
  kLogaddexp,
  kCopysign,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kLogicalAnd,
  kLogicalOr,
  kLogicalXor,
  kBitwiseAnd,
  kBitwiseOr,
  kBitwiseXor,
  kLeftShift,
  kRightShift,
  kCount
};
/// NumPy's names: "exp", "floor_divide", …
const char* name_of(Unary op);
const char* name_of(Binary op);
Array apply(Unary op, const Array& x);
Array apply(Binary op, const Array& x, const Array& y);
/// `x op= y`: the result is cast to x's dtype; throws TypeError where NumPy refuses that cast.
void apply_in_place(Binary op, const Array& x, const Array& y);

#define ATTN_ARRAY_UNARY(function, op) \
  inline Array function(const Array& x) { return apply(Unary::op, x); }
ATTN_ARRAY_UNARY(operator-, kNegative)
ATTN_ARRAY_UNARY(abs, kAbsolute)
ATTN_ARRAY_UNARY(sign, kSign)
ATTN_ARRAY_UNARY(square, kSquare)
ATTN_ARRAY_UNARY(sqrt, kSqrt)
ATTN_ARRAY_UNARY(exp, kExp)
ATTN_ARRAY_UNARY(expm1, kExpm1)
ATTN_ARRAY_UNARY(log, kLog)
ATTN_ARRAY_UNARY(log2, kLog2)
ATTN_ARRAY_UNARY(log10, kLog10)
ATTN_ARRAY_UNARY(log1p, kLog1p)
ATTN_ARRAY_UNARY(sin, kSin)
ATTN_ARRAY_UNARY(cos, kCos)
ATTN_ARRAY_UNARY(tan, kTan)
ATTN_ARRAY_UNARY(tanh, kTanh)
ATTN_ARRAY_UNARY(erf, kErf)
ATTN_ARRAY_UNARY(floor, kFloor)
ATTN_ARRAY_UNARY(ceil, kCeil)
ATTN_ARRAY_UNARY(isnan, kIsnan)
ATTN_ARRAY_UNARY(isinf, kIsinf)
ATTN_ARRAY_UNARY(isfinite, kIsfinite)
ATTN_ARRAY_UNARY(operator!, kLogicalNot)
#undef ATTN_ARRAY_UNARY

#define ATTN_ARRAY_BINARY(function, op) \
  inline Array function(const Array& x, const Array& y) { return apply(Binary::op, x, y); }
ATTN_ARRAY_BINARY(operator+, kAdd)
ATTN_ARRAY_BINARY(operator-, kSubtract)
ATTN_ARRAY_BINARY(operator*, kMultiply)
ATTN_ARRAY_BINARY(operator/, kDivide)
ATTN_ARRAY_BINARY(floor_divide, kFloorDivide)
ATTN_ARRAY_BINARY(remainder, kRemainder)
ATTN_ARRAY_BINARY(power, kPower)
ATTN_ARRAY_BINARY(maximum, kMaximum)
ATTN_ARRAY_BINARY(minimum, kMinimum)
ATTN_ARRAY_BINARY(operator==, kEqual)
ATTN_ARRAY_BINARY(operator!=, kNotEqual)
ATTN_ARRAY_BINARY(operator<, kLess)
ATTN_ARRAY_BINARY(operator<=, kLessEqual)
ATTN_ARRAY_BINARY(operator>, kGreater)
ATTN_ARRAY_BINARY(operator>=, kGreaterEqual)
ATTN_ARRAY_BINARY(operator&, kLogicalAnd)
ATTN_ARRAY_BINARY(operator|, kLogicalOr)
#undef ATTN_ARRAY_BINARY

/// x where `condition` is not 0, and y elsewhere; all three are broadcast.
Array where(const Array& condition, const Array& x, const Array& y);
Array clip(const Array& x, std::optional<Array> low, std::optional<Array> high);
/// Rounds to that many decimals; halves become even.
Array round(const Array& x, int decimals = 0);
Array nan_to_num(const Array& x, double nan = 0, std::optional<double> positive_infinity = {},
                 std::optional<double> negative_infinity = {});

// ---- Along axes -------------------------------------------------------------------------------

enum class Reduction : std::uint8_t {
  kSum,
  kProd,
  kMax,
  kMin,
  kMean,
  kVar,
  kStd,
  kAny,
  kAll,
  kCountNonzero,
  kNansum,
  kNanmax,
  kNanmin,
  kNanmean,
  kNanvar,
  kNanstd,
  kNanprod,
  kCount
};
const char* name_of(Reduction op);
/// `ddof` matters for variances only: they divide by n - ddof.
Array reduce(Reduction op, const Array& x, const Axes& axes = {}, bool keepdims = false,
             double ddof = 0);

#define ATTN_ARRAY_REDUCTION(function, op)                                              \
  inline Array function(const Array& x, const Axes& axes = {}, bool keepdims = false) { \
    return reduce(Reduction::op, x, axes, keepdims);                                    \
  }
/// `sum(x)`, `sum(x, -1)`, `sum(x, {0, 1}, true)`. Without axes the result has rank 0; see
/// `item()`.
ATTN_ARRAY_REDUCTION(sum, kSum)
ATTN_ARRAY_REDUCTION(prod, kProd)
ATTN_ARRAY_REDUCTION(max, kMax)
ATTN_ARRAY_REDUCTION(min, kMin)
ATTN_ARRAY_REDUCTION(mean, kMean)
ATTN_ARRAY_REDUCTION(var, kVar)
ATTN_ARRAY_REDUCTION(std, kStd)
ATTN_ARRAY_REDUCTION(any, kAny)
ATTN_ARRAY_REDUCTION(all, kAll)
#undef ATTN_ARRAY_REDUCTION

/// The index of the first largest (smallest) entry. A NaN counts as the largest and as the
/// smallest.
Array argmax(const Array& x, std::optional<int> axis = {}, bool keepdims = false);
Array argmin(const Array& x, std::optional<int> axis = {}, bool keepdims = false);
Array cumsum(const Array& x, std::optional<int> axis = {});
Array cumprod(const Array& x, std::optional<int> axis = {});
Array diff(const Array& x, int n = 1, int axis = -1);

// ---- Products ---------------------------------------------------------------------------------

/// NumPy's `@`: multiplies the matrices of the last two axes and broadcasts the stacks; a vector is
/// a row or a column.
Array matmul(const Array& x, const Array& y);
Array dot(const Array& x, const Array& y);
Array outer(const Array& x, const Array& y);
/// `einsum("nd,ne->de", {K, V})`.
Array einsum(std::string_view subscripts, const std::vector<Array>& operands);

// ---- Shapes -----------------------------------------------------------------------------------

/// A view with the axes reversed, or in the given order.
Array transpose(const Array& x);
Array transpose(const Array& x, const Shape& axes);
Array swapaxes(const Array& x, int a, int b);
Array reshape(const Array& x, const Shape& shape);
Array expand_dims(const Array& x, int axis);
/// Removes axes of length 1: the named ones, or all of them.
Array squeeze(const Array& x, const Axes& axes = {});
Array concatenate(const std::vector<Array>& parts, std::optional<int> axis = 0);
/// Joins arrays along a new axis.
Array stack(const std::vector<Array>& parts, int axis = 0);
Array repeat(const Array& x, Index times, std::optional<int> axis = {});
Array repeat(const Array& x, const Array& times, std::optional<int> axis = {});
Array tile(const Array& x, const Shape& times);
Array roll(const Array& x, Index shift, std::optional<int> axis = {});
Array flip(const Array& x, const Axes& axes = {});
/// Sets the entries above (below) the k-th diagonal to 0.
Array tril(const Array& x, Index k = 0);
Array triu(const Array& x, Index k = 0);
/// The k-th diagonal of a matrix as a view, taken over the two given axes.
Array diagonal(const Array& x, Index k = 0, int axis1 = 0, int axis2 = 1);
/// A matrix with a vector on its k-th diagonal, or the diagonal of a matrix.
Array diag(const Array& x, Index k = 0);

// ---- Indexing ---------------------------------------------------------------------------------

/// One part of `x[…]`.
struct IndexPart {
  enum class Kind : std::uint8_t { kInteger, kSlice, kNewAxis, kEllipsis, kArray } kind;
  std::optional<Index> begin, end;  // An integer is `begin`.
  Index step = 1;
  Array array;  // Integers or booleans.
};
Array index(const Array& x, const std::vector<IndexPart>& parts);
void set_index(const Array& x, const std::vector<IndexPart>& parts, const Array& value);
/// `np.add.at`: an index that occurs several times counts each time.
void apply_at(Binary op, const Array& x, const std::vector<IndexPart>& parts, const Array& value);
/// `x[mask]`, `x[indices]`.
Array index(const Array& x, const Array& mask_or_indices);
/// `x[mask] = value`.
void set_index(const Array& x, const Array& mask_or_indices, const Array& value);
Array take(const Array& x, const Array& indices, std::optional<int> axis = {});
Array take_along_axis(const Array& x, const Array& indices, int axis);
void put_along_axis(const Array& x, const Array& indices, const Array& values, int axis);
/// The indices of the entries that are not 0: one array for each axis.
std::vector<Array> nonzero(const Array& x);

// ---- Order ------------------------------------------------------------------------------------

/// Sorts along an axis, or the flattened array when no axis is given. NaNs come last, and equal
/// entries keep their order.
Array sort(const Array& x, std::optional<int> axis = -1);
Array argsort(const Array& x, std::optional<int> axis = -1);
struct Unique {
  Array values;
  /// The first place of each value, the value's number for each entry, and how often each value
  /// occurs.
  Array index, inverse, counts;
};
Unique unique(const Array& x);
/// The places where `values` would be inserted into sorted x: before equal entries, or after them
/// with `right`.
Array searchsorted(const Array& x, const Array& values, bool right = false);
/// Quantiles for q between 0 and 1, linear between entries; the axes of q come first.
Array quantile(const Array& x, const Array& q, const Axes& axes = {}, bool keepdims = false);
Array percentile(const Array& x, const Array& q, const Axes& axes = {}, bool keepdims = false);
Array median(const Array& x, const Axes& axes = {}, bool keepdims = false);
Array bincount(const Array& x, const std::optional<Array>& weights = {}, Index at_least = 0);

// ---- Statistics and linear algebra --------------------------------------------------------------

/// The covariance; rows are variables.
Array cov(const Array& x, const std::optional<Array>& y = {}, double ddof = 1);
Array corrcoef(const Array& x, const std::optional<Array>& y = {});

/// `order` is 2, 1, ±infinity, …; NumPy's words "nuc" and "fro" are given as numbers. Without an
/// axis all entries count.
inline constexpr double kNuclear = 1e300, kFrobenius = 1e301;
Array norm(const Array& x, std::optional<double> order = {}, const Axes& axes = {},
           bool keepdims = false);
/// The eigenvalues of symmetric matrices in ascending order; only the lower triangle is read. These
/// functions accept stacks.
Array eigvalsh(const Array& x);
std::pair<Array, Array> eigh(const Array& x);
struct Svd {
  Array u, s, vh;
};
Svd svd(const Array& x, bool full_matrices = true);
Array singular_values(const Array& x);
Array solve(const Array& a, const Array& b);
Array inv(const Array& x);
Array det(const Array& x);
std::pair<Array, Array> slogdet(const Array& x);
std::pair<Array, Array> qr(const Array& x);
Array cholesky(const Array& x);
Array pinv(const Array& x, double rcond = 1e-15);
Array matrix_rank(const Array& x, std::optional<double> tolerance = {});
Array lstsq(const Array& a, const Array& b);
Array trace(const Array& x);

// ---- Comparing --------------------------------------------------------------------------------

struct Comparison {
  bool same_shape = true;
  /// Whether |actual - expected| <= atol + rtol |expected| everywhere. NaN equals NaN, and an
  /// infinity equals itself.
  bool equal = true;
  Index wrong = 0, of = 0;
  /// The index of the first entry that differs.
  Shape first;
  /// The largest differences over entries that are finite on both sides; relative to |expected|
  /// where that is not 0.
  double max_absolute = 0, max_relative = 0;
  /// The number of entries that are NaN on one side only.
  Index nans = 0;
};
Comparison compare(const Array& actual, const Array& expected, double rtol = 1e-5,
                   double atol = 1e-8);
Array isclose(const Array& x, const Array& y, double rtol = 1e-5, double atol = 1e-8,
              bool equal_nan = false);
bool allclose(const Array& x, const Array& y, double rtol = 1e-5, double atol = 1e-8,
              bool equal_nan = false);
bool array_equal(const Array& x, const Array& y, bool equal_nan = false);

/// The array as NumPy prints it, to 4 decimals and with long axes shortened, for messages.
std::string text(const Array& x);

}  // namespace attn::array
