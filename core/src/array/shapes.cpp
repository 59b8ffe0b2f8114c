#include <algorithm>
#include <cmath>
#include <cstring>

#include "attn/array/array.hpp"
#include "internal.hpp"

namespace attn::array {

Array transpose(const Array& x) {
  Shape axes;
  for (int axis = x.rank() - 1; axis >= 0; --axis) axes.push_back(axis);
  return transpose(x, axes);
}

Array transpose(const Array& x, const Shape& axes) {
  if (axes.rank() != x.rank()) throw ValueError("axes don't match array");
  Shape shape, strides;
  std::array<bool, kMaxRank> seen{};
  for (const Index axis : axes) {
    const int from = normal_axis(axis, x.rank());
    if (seen[static_cast<std::size_t>(from)]) throw ValueError("repeated axis in transpose");
    seen[static_cast<std::size_t>(from)] = true;
    shape.push_back(x.shape()[from]);
    strides.push_back(x.strides()[from]);
  }
  return x.with(shape, strides);
}

Array swapaxes(const Array& x, int a, int b) {
  const int first = normal_axis(a, x.rank(), "axis1: "),
            second = normal_axis(b, x.rank(), "axis2: ");
  Shape shape = x.shape(), strides = x.strides();
  std::swap(shape[first], shape[second]);
  std::swap(strides[first], strides[second]);
  return x.with(shape, strides);
}

Array reshape(const Array& x, const Shape& shape) { return x.reshape(shape); }

Array expand_dims(const Array& x, int axis) {
  const int at = normal_axis(axis, x.rank() + 1);
  Shape shape = x.shape(), strides = x.strides();
  shape.insert(at, 1);
  strides.insert(at, 0);
  return x.with(shape, strides);
}

Array squeeze(const Array& x, const Axes& axes) {
  const auto gone = chosen(axes, x.rank());
  Shape shape, strides;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (gone[static_cast<std::size_t>(axis)]) {
      if (x.shape()[axis] == 1) continue;
      if (!axes.all()) {
        throw ValueError("cannot select an axis to squeeze out which has size not equal to one");
      }
    }
    shape.push_back(x.shape()[axis]);
    strides.push_back(x.strides()[axis]);
  }
  return x.with(shape, strides);
}

Array concatenate(const std::vector<Array>& given, std::optional<int> axis) {
  if (given.empty()) throw ValueError("need at least one array to concatenate");
  std::vector<Array> parts;
  for (const Array& part : given) {
    if (axis && part.rank() == 0) {
      throw ValueError("zero-dimensional arrays cannot be concatenated");
    }
    parts.push_back(axis ? part : part.ravel());
  }
  const Array& first = parts.front();
  const int along = normal_axis(axis.value_or(0), first.rank());
  Shape shape = first.shape();
  double length = 0;
  Dtype dtype = first.dtype();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Shape& other = parts[k].shape();
    const std::string here = ", but along dimension ", at = "the array at index ";
    if (other.rank() != shape.rank()) {
      throw ValueError(
          "all the input arrays must have same number of dimensions, but the array at index 0 "
          "has " +
          std::to_string(shape.rank()) + " dimension(s) and the array at index " +
          std::to_string(k) + " has " + std::to_string(other.rank()) + " dimension(s)");
    }
    for (int a = 0; a < shape.rank(); ++a) {
      if (a != along && other[a] != shape[a]) {
        throw ValueError(
            "all the input array dimensions except for the concatenation axis must match exactly" +
            here + std::to_string(a) + ", " + at + "0 has size " + std::to_string(shape[a]) +
            " and " + at + std::to_string(k) + " has size " + std::to_string(other[a]));
      }
    }
    length += static_cast<double>(other[along]);
    dtype = promote(dtype, parts[k].dtype());
  }
  shape[along] = checked_length(length);
  const Array out = Array::allocate(shape, dtype);
  Index begin = 0;
  for (const Array& part : parts) {
    const Index end = begin + part.shape()[along];
    copy_into(out.slice(along, begin, end), part);
    begin = end;
  }
  note_touched(2 * out.size());
  return out;
}

Array stack(const std::vector<Array>& parts, int axis) {
  if (parts.empty()) throw ValueError("need at least one array to stack");
  const int at = normal_axis(axis, parts.front().rank() + 1);
  std::vector<Array> raised;
  for (const Array& part : parts) {
    if (!(part.shape() == parts.front().shape())) {
      throw ValueError("all input arrays must have the same shape");
    }
    raised.push_back(expand_dims(part, at));
  }
  return concatenate(raised, at);
}

Array repeat(const Array& x, Index times, std::optional<int> axis) {
  return repeat(x, Array(static_cast<std::int64_t>(times)), axis);
}

Array repeat(const Array& x, const Array& times, std::optional<int> axis) {
  const Array lines = axis ? x : x.ravel();
  const int along = normal_axis(axis.value_or(0), lines.rank());
  const Index length = lines.shape()[along];
  if (times.rank() > 1 || (times.size() != 1 && times.size() != length)) {
    throw ValueError("operands could not be broadcast together with shape " + Shape{length}.text() +
                     " " + times.shape().text());
  }
  std::vector<double> list = times.values();
  if (times.size() == 1) list = std::vector<double>(static_cast<std::size_t>(length), list.front());
  double total = 0;
  for (const double count : list) {
    if (count < 0) throw ValueError("repeats may not contain negative values.");
    total += count;
  }
  Shape shape = lines.shape();
  shape[along] = checked_length(total);
  const Array out = Array::allocate(shape, x.dtype());
  Index begin = 0;
  for (Index i = 0; i < length; ++i) {
    const Index end = begin + static_cast<Index>(list[static_cast<std::size_t>(i)]);
    copy_into(out.slice(along, begin, end), lines.slice(along, i, i + 1));
    begin = end;
  }
  note_touched(x.size() + out.size());
  return out;
}

Array tile(const Array& x, const Shape& times) {
  const int rank = std::max(x.rank(), times.rank());
  Shape padded, counts;
  for (int axis = 0; axis < rank; ++axis) {
    const int from = axis - (rank - x.rank()), time = axis - (rank - times.rank());
    padded.push_back(from < 0 ? 1 : x.shape()[from]);
    counts.push_back(time < 0 ? 1 : times[time]);
    if (counts[axis] < 0) throw ValueError("negative dimensions are not allowed");
  }
  Array out = x.reshape(padded).copy();
  for (int axis = 0; axis < rank; ++axis) {
    if (counts[axis] == 1) continue;
    Shape shape = out.shape();
    const Index length = shape[axis];
    shape[axis] = checked_length(static_cast<double>(length) * static_cast<double>(counts[axis]));
    const Array longer = Array::allocate(shape, x.dtype());
    for (Index begin = 0; begin < shape[axis]; begin += length) {
      copy_into(longer.slice(axis, begin, begin + length), out);
    }
    note_touched(out.size() + longer.size());
    out = longer;
  }
  return out;
}

Array roll(const Array& x, Index shift, std::optional<int> axis) {
  const Array lines = axis ? x : x.ravel();
  const int along = normal_axis(axis.value_or(0), lines.rank());
  const Index length = lines.shape()[along];
  if (length == 0) return x.copy();
  const Index by = (shift % length + length) % length;
  return concatenate({lines.slice(along, length - by, {}), lines.slice(along, {}, length - by)},
                     along)
      .reshape(x.shape());
}

Array flip(const Array& x, const Axes& axes) {
  const auto turned = chosen(axes, x.rank());
  Array out = x;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (turned[static_cast<std::size_t>(axis)]) out = out.slice(axis, {}, {}, -1);
  }
  return out;
}

namespace {

Array triangle(const Array& given, Index k, bool lower) {
  // NumPy repeats a vector as the rows of a square matrix, and then cuts the rows.
  const Array x = given.rank() == 1 ? broadcast_to(given, {given.size(), given.size()}) : given;
  if (x.rank() < 2) throw ValueError("tril and triu need an array of at least one dimension");
  const Array out = x.copy();
  const Index rows = out.shape(-2), cols = out.shape(-1), item = size_of(out.dtype());
  const Index matrices = out.size() == 0 ? 0 : out.size() / (rows * cols);
  k = std::clamp<Index>(k, -rows - 1, cols + 1);
  char* at = out.data();
  for (Index row = 0; row < matrices * rows; ++row, at += cols * item) {
    const Index cut = std::clamp<Index>(row % rows + k + (lower ? 1 : 0), 0, cols);
    const Index begin = lower ? cut : 0, end = lower ? cols : cut;
    std::memset(at + begin * item, 0, static_cast<std::size_t>((end - begin) * item));
  }
  return out;
}

}  // namespace

Array tril(const Array& x, Index k) { return triangle(x, k, true); }
Array triu(const Array& x, Index k) { return triangle(x, k, false); }

Array diagonal(const Array& x, Index k, int axis1, int axis2) {
  if (x.rank() < 2) throw ValueError("diag requires an array of at least two dimensions");
  const int a = normal_axis(axis1, x.rank(), "axis1: "),
            b = normal_axis(axis2, x.rank(), "axis2: ");
  if (a == b) throw ValueError("axis1 and axis2 cannot be the same");
  k = std::clamp(k, -x.shape()[a], x.shape()[b]);
  const Index row = std::max<Index>(-k, 0), col = std::max<Index>(k, 0);
  const Index length = std::max<Index>(std::min(x.shape()[a] - row, x.shape()[b] - col), 0);
  const Index offset = length == 0 ? 0 : row * x.strides()[a] + col * x.strides()[b];
  const Index step = x.strides()[a] + x.strides()[b];
  Shape shape = x.shape(), strides = x.strides();
  for (const int axis : {std::max(a, b), std::min(a, b)}) {
    shape.erase(axis);
    strides.erase(axis);
  }
  shape.push_back(length);
  strides.push_back(step);
  return x.with(shape, strides, offset);
}

Array diag(const Array& x, Index k) {
  if (x.rank() == 2) return diagonal(x, k);
  if (x.rank() != 1) throw ValueError("Input must be 1- or 2-d.");
  const Index n = checked_length(static_cast<double>(x.size()) + std::abs(static_cast<double>(k)));
  const Array out = zeros({n, n}, x.dtype());
  copy_into(diagonal(out, k), x);
  note_touched(2 * x.size());
  return out;
}

}  // namespace attn::array
