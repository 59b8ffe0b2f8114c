#include "attn/array/array.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "array_util.hpp"

using namespace attn::array;
using attn::array::test::Dice;
using attn::array::test::entry;
using attn::array::test::error_of;
using attn::array::test::for_each_index;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Shape random_shape(Dice& dice, int rank) {
  Shape shape;
  for (int axis = 0; axis < rank; ++axis) shape.push_back(dice(1, 4));
  return shape;
}

/// Returns the same entries with other strides: transposed, reversed or with gaps.
Array disguised(const Array& x, Dice& dice) {
  if (x.rank() == 0) return x;
  const int axis = static_cast<int>(dice(0, x.rank() - 1));
  switch (dice(0, 2)) {
    case 0:
      return swapaxes(swapaxes(x, 0, axis).copy(), 0, axis);
    case 1:
      return flip(flip(x, axis).copy(), axis);
    default:
      return repeat(x, 2, axis).slice(axis, {}, {}, 2);
  }
}

}  // namespace

TEST_SUITE_BEGIN("array");

TEST_CASE("copies and slices share entries, copy() does not") {
  Array x = zeros({3, 4});
  Array same = x, row = x.row(1), column = x.col(-1), block = x.rows(1, 3).cols(0, 2);
  const Array apart = x.copy();
  x(1, 3) = 5;
  CHECK(same(1, 3) == 5);
  CHECK(row(3) == 5);
  CHECK(column(1) == 5);
  CHECK(apart(1, 3) == 0);
  x.row(2) = array({1, 2, 3, 4});
  CHECK(block(1, 1) == 2);
  x.row(2) += 1;
  CHECK(block(1, 1) == 3);
  row = ones({4});
  CHECK(x(1, 0) == 0);
  CHECK_SAME(x[2], array({2, 3, 4, 5}));
}

TEST_CASE("an entry can be read and written, and an index outside is named in the error") {
  Array x = array({{1, 2}, {3, 4}});
  x(0, 1) += x(1, 0) * 2;
  x(-1, -1) /= 8;
  CHECK_SAME(x, array({{1, 8}, {3, 0.5}}));
  CHECK(error_of([&] { x(2, 0); }) ==
        "IndexError: index 2 is out of bounds for axis 0 with size 2");
  CHECK(error_of([&] { x(0, -3) = 1; }) ==
        "IndexError: index -3 is out of bounds for axis 1 with size 2");
  CHECK(error_of([&] { x(0, 0, 0); }) ==
        "IndexError: too many indices for array: array is 2-dimensional, but 3 were indexed");
  CHECK(error_of([&] { x.item(); }) ==
        "ValueError: can only convert an array of size 1 to a Python scalar");
}

TEST_CASE("slices follow Python's rules for every begin, end and step") {
  for (Index length = 0; length <= 5; ++length) {
    const Array x = arange(length);
    for (Index begin = -7; begin <= 7; ++begin) {
      for (Index end = -7; end <= 7; ++end) {
        for (const Index step : {-3, -2, -1, 1, 2, 3}) {
          // Python's definition: bounds are clamped as slice.indices does, and then counted.
          const auto clamped = [&](Index bound) {
            if (bound < 0) bound += length;
            return step > 0 ? std::min(std::max<Index>(bound, 0), length)
                            : std::min(std::max<Index>(bound, -1), length - 1);
          };
          std::vector<double> expected;
          const Index first = clamped(begin), last = clamped(end);
          for (Index i = first; step > 0 ? i < last : i > last; i += step) {
            expected.push_back(static_cast<double>(i));
          }
          CAPTURE(length);
          CAPTURE(begin);
          CAPTURE(end);
          CAPTURE(step);
          CHECK(x.slice(0, begin, end, step).values() == expected);
        }
      }
    }
  }
}

TEST_CASE("operands are broadcast and combined as loops over the indices do it") {
  Dice dice(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Shape shape = random_shape(dice, static_cast<int>(dice(0, 4)));
    // Some axes get length 1, and some leading axes are left out.
    const auto thinned = [&] {
      Shape thin;
      for (int axis = static_cast<int>(dice(0, shape.rank())); axis < shape.rank(); ++axis) {
        thin.push_back(dice(0, 2) == 0 ? 1 : shape[axis]);
      }
      return thin;
    };
    const Array x = disguised(dice.normal(thinned()), dice);
    const Array y = disguised(dice.normal(thinned()), dice);
    const Array z = x * y - maximum(x, y);
    const Array left = broadcast_to(x, z.shape()), right = broadcast_to(y, z.shape());
    const std::vector<double> values = z.values();
    for_each_index(z.shape(), [&](const Shape& at, Index flat) {
      const double a = entry(left, at), b = entry(right, at);
      CHECK(values[static_cast<std::size_t>(flat)] == a * b - std::max(a, b));
    });
  }
}

TEST_CASE("reductions agree with loops over the indices, whatever the strides") {
  Dice dice(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Array x = disguised(dice.normal(random_shape(dice, static_cast<int>(dice(1, 4)))), dice);
    const int axis = static_cast<int>(dice(-x.rank(), x.rank() - 1));
    const int normal = axis < 0 ? axis + x.rank() : axis;
    Shape kept = x.shape();
    kept[normal] = 1;
    std::vector<double> sums(static_cast<std::size_t>(kept.size()), 0.0);
    std::vector<double> largest(sums.size(), -kInfinity);
    for_each_index(x.shape(), [&](const Shape& at, Index) {
      Index flat = 0;
      for (int a = 0; a < x.rank(); ++a) flat = flat * kept[a] + (a == normal ? 0 : at[a]);
      const auto place = static_cast<std::size_t>(flat);
      sums[place] += entry(x, at);
      largest[place] = std::max(largest[place], entry(x, at));
    });
    CHECK_SAME(sum(x, axis, true), array(sums, kept));
    CHECK_SAME(max(x, axis, true), array(largest, kept));
    CHECK_SAME(max(x, axis), array(largest, kept).reshape(max(x, axis).shape()));
    CHECK(sum(x).item() == doctest::Approx(sum(sum(x, axis)).item()));
    CHECK_SAME(mean(x, axis, true) * static_cast<double>(x.shape()[normal]), array(sums, kept));
  }
}

TEST_CASE("a long sum is pairwise, so that its error does not grow with its length") {
  const Index count = 1 << 20;
  const Array x = full({count}, 0.1f);
  CHECK(x.dtype() == Dtype::kFloat32);
  CHECK(std::abs(sum(x).item() - 0.1 * static_cast<double>(count)) < 0.1);
}

TEST_CASE("dtypes are promoted by NumPy's rules, numbers by their kind") {
  const Array f = ones({3}, Dtype::kFloat32), i = arange(3), b = i > 0;
  CHECK((f * 2.0).dtype() == Dtype::kFloat32);
  CHECK((f * 1e300).dtype() == Dtype::kFloat64);
  CHECK((f * i).dtype() == Dtype::kFloat64);
  CHECK((i * 2).dtype() == Dtype::kInt64);
  CHECK((i * 2.0).dtype() == Dtype::kFloat64);
  CHECK((i / i).dtype() == Dtype::kFloat64);
  CHECK((b + 1).dtype() == Dtype::kInt64);
  CHECK((b * f).dtype() == Dtype::kFloat32);
  CHECK(sum(b).item() == 2);
  // 0.1f + 0.2f is computed in float32, not in float64.
  const Array third = full({1}, 0.1f) + full({1}, 0.2f);
  CHECK(third(0) == static_cast<double>(0.1f + 0.2f));
}

TEST_CASE("integers divide to the floor, and by zero to zero") {
  const Array x = array({7, -7, 7, -7, 5}, {5}, Dtype::kInt64);
  const Array y = array({2, 2, -2, -2, 0}, {5}, Dtype::kInt64);
  CHECK_SAME(floor_divide(x, y), array({3, -4, -4, 3, 0}));
  CHECK_SAME(remainder(x, y), array({1, 1, -1, -1, 0}));
  CHECK(floor_divide(x, y).dtype() == Dtype::kInt64);
  CHECK_SAME(remainder(array({-1.5, 1.5}), 1.0), array({0.5, 0.5}));
}

TEST_CASE("maximum, max and argmax return a NaN when there is one") {
  const Array x = array({1, kNan, 3});
  CHECK(std::isnan(max(x).item()));
  CHECK(std::isnan(maximum(x, 2.0)(1)));
  CHECK(argmax(x).item() == 1);
  CHECK(reduce(Reduction::kNanmax, x).item() == 3);
}

TEST_CASE("writing into a view that overlaps the source behaves as if the source was read first") {
  Array x = arange(0, 6);
  x.slice(0, 1, {}) = x.slice(0, {}, -1);
  CHECK_SAME(x, array({0, 0, 1, 2, 3, 4}));
  x = arange(0, 6);
  x.slice(0, {}, -1) += x.slice(0, 1, {});
  CHECK_SAME(x, array({1, 3, 5, 7, 9, 5}));
  Array square = arange(0, 9).reshape({3, 3});
  square.slice(0, {}, {}) = transpose(square);
  CHECK_SAME(square, transpose(arange(0, 9).reshape({3, 3})));
}

TEST_CASE("a result of broadcast_to and its views cannot be written to") {
  const Array x = arange(3);
  Array wide = broadcast_to(x, {2, 3});
  const std::string refusal = "ValueError: assignment destination is read-only";
  CHECK(error_of([&] { wide(0, 0) = 9; }) == refusal);
  CHECK(error_of([&] { wide.row(0) = Array(9); }) == refusal);
  CHECK(error_of([&] { transpose(wide).row(0) = Array(9); }) == refusal);
  CHECK(error_of([&] { wide.slice(1, 1, {}).assign(Array(9)); }) == refusal);
  CHECK(error_of([&] { wide.row(1).reshape({3, 1}).assign(Array(9)); }) == refusal);
  CHECK(error_of([&] { expand_dims(wide, 0).assign(Array(9)); }) == refusal);
  CHECK(error_of([&] { set_index(wide, arange(2), Array(9)); }) == refusal);
  CHECK(error_of([&] { set_index(wide, wide > Array(0), Array(9)); }) == refusal);
  CHECK(error_of([&] {
          put_along_axis(wide, zeros({2, 1}, Dtype::kInt64), Array(9), 1);
        }) == refusal);
  CHECK(error_of([&] { wide += 1; }) == "ValueError: output array is read-only");
  CHECK_SAME(x, array({0, 1, 2}));
  // Only the view is read-only; a copy of it and the original array are not.
  Array copy = wide.copy(), flat = wide.reshape({6});
  copy(0, 0) = 7;
  flat(0) = 7;
  Array writeable = x;
  writeable(0) = 5;
  CHECK(wide(1, 0) == 5);
}

TEST_CASE("integers that no double can hold are kept exactly") {
  const std::int64_t big = (std::int64_t{1} << 61) + 1;
  const Array x = Array(big) * ones({2}, Dtype::kInt64);
  CHECK(x.integers() == std::vector<std::int64_t>{big, big});
  CHECK(remainder(x, Array(10)).integers().front() == big % 10);
  CHECK(array_equal(x, x));
  CHECK_FALSE(array_equal(x, x + 1));
  CHECK((x < Array(0)).integers() == std::vector<std::int64_t>{0, 0});
  CHECK(error_of([] { static_cast<void>(ones({2}).integers()); }).substr(0, 10) == "TypeError:");
}

TEST_CASE("operations in place keep the dtype, or refuse with the reason") {
  Array i = arange(3);
  i += 2;
  CHECK(i.dtype() == Dtype::kInt64);
  CHECK(error_of([&] { i += 0.5; }) ==
        "UFuncTypeError: Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') "
        "with casting rule 'same_kind'");
  CHECK(error_of([&] {
          i += zeros({2, 3}, Dtype::kInt64);
        }) ==
        "ValueError: non-broadcastable output operand with shape (3,) doesn't match the broadcast "
        "shape (2,3)");
}

TEST_CASE("masks and lists of indices choose and assign") {
  Array x = arange(0, 12).reshape({3, 4});
  CHECK_SAME(index(x, x > 8.0), array({9, 10, 11}));
  CHECK_SAME(index(x, array({2, 0}, {2}, Dtype::kInt64)),
             concatenate({x.rows(2, 3), x.rows(0, 1)}));
  set_index(x, x > 8.0, -1.0);
  CHECK(sum(x).item() == 36 - 3);
  const Array blocked = where(tri(3) == 0.0, -kInfinity, zeros({3, 3}));
  CHECK(blocked(0, 1) == -kInfinity);
  CHECK(blocked(1, 0) == 0);
  CHECK(error_of([&] { index(x, array({5}, {1}, Dtype::kInt64)); }) ==
        "IndexError: index 5 is out of bounds for axis 0 with size 3");
}

TEST_CASE("arguments that do not fit are refused in NumPy's words") {
  const Array x = zeros({3, 4});
  const std::vector<std::pair<std::function<void()>, const char*>> wrong = {
      {[&] { x + zeros({5}); },
       "ValueError: operands could not be broadcast together with shapes (3,4) (5,) "},
      {[&] {
         x.reshape({5, -1});
       },
       "ValueError: cannot reshape array of size 12 into shape (5,newaxis)"},
      {[&] { sum(x, 2); }, "AxisError: axis 2 is out of bounds for array of dimension 2"},
      {[&] { zeros({-1}); }, "ValueError: negative dimensions are not allowed"},
      {[&] { max(zeros({0})); },
       "ValueError: zero-size array to reduction operation maximum which has no identity"},
      {[&] { x.row(0) = zeros({3}); },
       "ValueError: could not broadcast input array from shape (3,) into shape (4,)"},
      {[&] {
         array({{1, 2}, {3}});
       },
       "ValueError: the rows of an array must be of one length"},
  };
  for (const auto& [call, message] : wrong) CHECK(error_of(call) == message);
}

TEST_CASE("work is counted: entries by operation, and products where they are summed") {
  const Array x = ones({3, 4}), y = ones({4, 5});
  reset_counts();
  const Array z = matmul(x, y);
  CHECK(counts().multiply_adds == 3 * 4 * 5);
  CHECK(counts().touched == 12 + 20 + 15);
  CHECK(counts().bytes == 15 * 8);
  CHECK(counts().largest == 15);
  reset_counts();
  const Array views = transpose(x).rows(1, 3);
  CHECK(counts().touched == 0);
  CHECK(counts().bytes == 0);
  const double read = views(0, 0);
  CHECK(counts().touched == 1);
  const Array plus = x + read;
  CHECK(counts().touched == 1 + 12 + 12 + 1);
  einsum("ij,jk->ik", {x, y});
  CHECK(counts().multiply_adds == 3 * 4 * 5);
}

TEST_CASE("memory is freed, and it has a limit") {
  const std::uint64_t before = live_bytes(), limit = memory_limit();
  {
    const Array x = zeros({1000});
    const Array view = x.rows(0, 10);
    CHECK(live_bytes() == before + 8000);
  }
  CHECK(live_bytes() == before);
  CHECK(error_of([] { zeros({1'000'000'000}); }) ==
        "MemoryError: an array of shape (1000000000,) asked for 8 GB; a run may have 512 MB");
  set_memory_limit(before + 1000);
  CHECK_FALSE(error_of([] { zeros({200}); }).empty());
  CHECK(error_of([] { zeros({100}); }).empty());
  set_memory_limit(limit);
}

TEST_CASE("a comparison names the first entry that differs, and the largest difference") {
  const Array expected = array({{1, 2}, {3, kNan}}), actual = array({{1, 2.5}, {4, kNan}});
  const Comparison result = compare(actual, expected, 1e-6, 1e-6);
  CHECK_FALSE(result.equal);
  CHECK(result.wrong == 2);
  CHECK(result.of == 4);
  CHECK(result.first == Shape{0, 1});
  CHECK(result.max_absolute == 1);
  CHECK(result.max_relative == doctest::Approx(1.0 / 3));
  CHECK(result.nans == 0);
  CHECK(compare(expected, expected).equal);
  CHECK_FALSE(compare(zeros({2}), zeros({3})).same_shape);
  CHECK(compare(array({1, kNan}), array({1, 2})).nans == 1);
  CHECK(compare(array({kInfinity}), array({kInfinity})).equal);
  CHECK_FALSE(compare(array({-kInfinity}), array({kInfinity})).equal);
}

TEST_CASE("sorting orders every line, equal entries in their order") {
  Dice dice(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Array x = disguised(floor(dice.normal(random_shape(dice, 3)) * 2.0), dice);
    const int axis = static_cast<int>(dice(0, 2));
    const Array sorted = sort(x, axis), order = argsort(x, axis);
    CHECK_SAME(take_along_axis(x, order, axis), sorted);
    const Array steps = diff(sorted, 1, axis), moves = diff(order, 1, axis);
    CHECK(all(steps >= 0.0).item() == 1);
    CHECK(all((steps > 0.0) | (moves > 0)).item() == 1);
  }
  const Unique found = unique(array({3, 1, 3, 2}));
  CHECK_SAME(found.values, array({1, 2, 3}));
  CHECK_SAME(found.index, array({1, 3, 0}));
  CHECK_SAME(found.inverse, array({2, 0, 2, 1}));
  CHECK_SAME(found.counts, array({1, 1, 2}));
}

TEST_CASE("reshaping makes a view where that is possible, and is always right") {
  Dice dice(4);
  for (int trial = 0; trial < 100; ++trial) {
    const Array x = dice.normal({2, 3, 4});
    const Array turned = dice(0, 1) == 0 ? disguised(x, dice) : transpose(x, {1, 0, 2});
    const std::vector<double> values = turned.values();
    for (const Shape& shape : {Shape{24}, Shape{6, 4}, Shape{2, 12}, Shape{4, 3, 2},
                               Shape{1, 24, 1}, Shape{2, 3, 2, 2}}) {
      CHECK(turned.reshape(shape).values() == values);
    }
  }
  const Array x = zeros({3, 4});
  CHECK(x.reshape({12}).storage() == x.storage());
  CHECK(transpose(x).reshape({2, 2, 3}).storage() == x.storage());
  CHECK_FALSE(transpose(x).reshape({12}).storage() == x.storage());
}

TEST_SUITE_END();
