#include <algorithm>

#include "attn/array/array.hpp"
#include "internal.hpp"

namespace attn::array {
namespace {

using Kind = IndexPart::Kind;

int axes_taken(const IndexPart& part) {
  switch (part.kind) {
    case Kind::kNewAxis:
    case Kind::kEllipsis:
      return 0;
    case Kind::kArray:
      return part.array.dtype() == Dtype::kBool ? part.array.rank() : 1;
    default:
      return 1;
  }
}

Index inside(std::int64_t index, Index length, int axis) {
  if (index < -length || index >= length) {
    throw IndexError("index " + std::to_string(index) + " is out of bounds for axis " +
                     std::to_string(axis) + " with size " + std::to_string(length));
  }
  return static_cast<Index>(index < 0 ? index + length : index);
}

/// The meaning of `x[parts]`: a view, and the axes of it from which lists of integers choose.
class Selection {
 public:
  Selection(const Array& x, const std::vector<IndexPart>& parts) : view_(x) {
    int taken = 0, dots = 0;
    for (const IndexPart& part : parts) {
      taken += axes_taken(part);
      dots += part.kind == Kind::kEllipsis ? 1 : 0;
      advanced_ |= part.kind == Kind::kArray;
    }
    if (dots > 1) throw IndexError("an index can only have a single ellipsis ('...')");
    if (taken > x.rank()) {
      throw IndexError("too many indices for array: array is " + std::to_string(x.rank()) +
                       "-dimensional, but " + std::to_string(taken) + " were indexed");
    }
    int source = 0, axis = 0, last_list = -1, place = 0;
    for (const IndexPart& part : parts) {
      switch (part.kind) {
        case Kind::kEllipsis:
          source += x.rank() - taken;
          axis += x.rank() - taken;
          break;
        case Kind::kNewAxis:
          view_ = expand_dims(view_, axis++);
          break;
        case Kind::kSlice:
          view_ = view_.slice(axis++, part.begin, part.end, part.step);
          ++source;
          break;
        case Kind::kInteger: {
          const Index at = inside(part.begin.value_or(0), x.shape()[source], source);
          ++source;
          if (advanced_) {
            add_list(Array(static_cast<std::int64_t>(at)), axis++, place, last_list);
          } else {
            view_ = view_.take_at(axis, at);
          }
          break;
        }
        case Kind::kArray:
          if (part.array.dtype() == Dtype::kBool) {
            add_mask(part.array, source, axis, place, last_list);
          } else {
            add_integers(part.array, source, axis, place, last_list);
          }
          break;
      }
      ++place;
    }
    if (advanced_) arrange();
  }

  bool advanced() const { return advanced_; }
  const Array& view() const { return view_; }
  const Shape& shape() const { return shape_; }
  /// The number of entries of lists and masks that were read.
  Index read() const { return read_; }
  bool one_mask() const { return one_mask_; }

  /// Calls `body(part of x, part of packed)` for every chosen part; `packed` has the shape
  /// `shape()`.
  template <typename F>
  void each(const Array& packed, F&& body) const {
    // The shapes and strides of the axes in `packed`: those of the lists, and the rest.
    Shape list_shape, list_strides, rest_shape, rest_strides;
    for (int axis = 0; axis < packed.rank(); ++axis) {
      const bool list = axis >= lists_at_ && axis < lists_at_ + list_rank_;
      (list ? list_shape : rest_shape).push_back(packed.shape()[axis]);
      (list ? list_strides : rest_strides).push_back(packed.strides()[axis]);
    }
    const Array starts = packed.with(list_shape, list_strides);
    std::size_t next = 0;
    each_entry(starts, [&](char* start) {
      const Array here = rest_.with(rest_.shape(), rest_.strides(), offsets_[next++]);
      const Array there =
          packed.with(rest_shape, rest_strides, static_cast<Index>(start - packed.data()));
      body(here, there);
    });
  }

  /// Copies between packed and x in one direction; single entries are moved directly.
  void copy(const Array& packed, bool out) const {
    if (rest_.rank() > 0) {
      each(packed, [&](const Array& here, const Array& there) {
        copy_into(out ? there : here, out ? here : there);
      });
      return;
    }
    with_type(packed.dtype(), [&](auto tag) {
      using T = decltype(tag);
      const Index* offset = offsets_.data();
      each_entry(packed, [&](char* at) {
        T& there = *reinterpret_cast<T*>(at);
        T& here = *reinterpret_cast<T*>(rest_.data() + *offset++);
        if (out) {
          there = here;
        } else {
          here = there;
        }
      });
    });
  }

 private:
  struct List {
    Array indices;
    int axis;
  };

  void add_list(const Array& indices, int axis, int place, int& last) {
    lists_.push_back({indices, axis});
    if (last >= 0 && place > last + 1) separated_ = true;
    last = place;
  }

  void add_integers(const Array& indices, int& source, int& axis, int place, int& last) {
    if (is_float(indices.dtype())) {
      if (indices.size() > 0) {
        throw IndexError("arrays used as indices must be of integer (or boolean) type");
      }
    }
    const Index length = view_.shape()[axis];
    const Array checked = Array::allocate(indices.shape(), Dtype::kInt64);
    copy_into(checked, indices);
    each_entry(checked, [&](char* at) {
      std::int64_t& index = *reinterpret_cast<std::int64_t*>(at);
      if (index < -length || index >= length) inside(index, length, source);
      if (index < 0) index += length;
    });
    read_ += indices.size();
    add_list(checked, axis, place, last);
    ++source;
    ++axis;
  }

  void add_mask(const Array& mask, int& source, int& axis, int place, int& last) {
    if (mask.rank() == 0) {
      throw IndexError("a single True or False is no index here; use np.where or an array of them");
    }
    for (int d = 0; d < mask.rank(); ++d) {
      if (mask.shape()[d] != view_.shape()[axis + d]) {
        throw IndexError("boolean index did not match indexed array along dimension " +
                         std::to_string(source + d) + "; dimension is " +
                         std::to_string(view_.shape()[axis + d]) +
                         " but corresponding boolean dimension is " +
                         std::to_string(mask.shape()[d]));
      }
    }
    one_mask_ = lists_.empty() && mask.rank() == view_.rank();
    read_ += mask.size();
    for (const Array& indices : nonzero(mask)) add_list(indices, axis++, place, last);
    source += mask.rank();
  }

  void arrange() {
    Shape lists;
    std::string shapes;
    for (const List& list : lists_) shapes += list.indices.shape().text() + " ";
    for (const List& list : lists_) {
      try {
        lists = broadcast_shapes(lists, list.indices.shape());
      } catch (const ValueError&) {
        throw IndexError(
            "shape mismatch: indexing arrays could not be broadcast together with shapes " +
            shapes);
      }
    }
    list_rank_ = lists.rank();
    offsets_.assign(static_cast<std::size_t>(lists.size()), 0);
    for (const List& list : lists_) {
      const Index step = view_.strides()[list.axis];
      std::size_t next = 0;
      each_entry(broadcast_to(list.indices, lists), [&](const char* at) {
        offsets_[next++] += static_cast<Index>(*reinterpret_cast<const std::int64_t*>(at)) * step;
      });
    }
    // The axes of the lists stay where the lists were, or come first when another index was between
    // them.
    Shape rest, strides;
    for (int axis = 0; axis < view_.rank(); ++axis) {
      const bool chosen_from = std::any_of(lists_.begin(), lists_.end(),
                                           [&](const List& list) { return list.axis == axis; });
      if (chosen_from) continue;
      rest.push_back(view_.shape()[axis]);
      strides.push_back(view_.strides()[axis]);
    }
    lists_at_ = separated_ ? 0 : lists_.front().axis;
    shape_ = rest;
    for (int axis = 0; axis < lists.rank(); ++axis) shape_.insert(lists_at_ + axis, lists[axis]);
    rest_ = view_.with(rest, strides);
  }

  Array view_, rest_;
  std::vector<List> lists_;
  std::vector<Index> offsets_;
  Shape shape_;
  int lists_at_ = 0, list_rank_ = 0;
  Index read_ = 0;
  bool advanced_ = false, separated_ = false, one_mask_ = false;
};

std::vector<IndexPart> one_array(const Array& indices) {
  return {{Kind::kArray, {}, {}, 1, indices}};
}

}  // namespace

Array index(const Array& x, const std::vector<IndexPart>& parts) {
  const Selection selection(x, parts);
  if (!selection.advanced()) return selection.view();
  const Array out = Array::allocate(selection.shape(), x.dtype());
  selection.copy(out, true);
  note_touched(selection.read() + 2 * out.size());
  return out;
}

void set_index(const Array& x, const std::vector<IndexPart>& parts, const Array& value) {
  check_writeable(x);
  const Selection selection(x, parts);
  if (!selection.advanced()) return selection.view().assign(value);
  const Shape& shape = selection.shape();
  Array source = as(value, x.dtype());
  while (source.rank() > shape.rank() && source.shape()[0] == 1) source = source.take_at(0, 0);
  try {
    source = broadcast_to(source, shape);
  } catch (const ValueError&) {
    if (selection.one_mask() && value.rank() == 1) {
      throw ValueError("NumPy boolean array indexing assignment cannot assign " +
                       std::to_string(value.size()) + " input values to the " +
                       std::to_string(shape.size()) + " output values where the mask is true");
    }
    throw ValueError("shape mismatch: value array of shape " + value.shape().text() +
                     " could not be broadcast to indexing result of shape " + shape.text());
  }
  if (overlap(x, source)) source = contiguous_as(source.copy(), x.dtype());
  selection.copy(source, false);
  note_touched(selection.read() + value.size() + shape.size());
}

void apply_at(Binary op, const Array& x, const std::vector<IndexPart>& parts, const Array& value) {
  const Selection selection(x, parts);
  if (!selection.advanced()) return apply_in_place(op, selection.view(), value);
  check_writeable(x);
  const Array source = broadcast_to(value, selection.shape());
  selection.each(source, [&](const Array& to, const Array& from) { apply_in_place(op, to, from); });
}

Array index(const Array& x, const Array& indices) { return index(x, one_array(indices)); }

void set_index(const Array& x, const Array& indices, const Array& value) {
  set_index(x, one_array(indices), value);
}

Array take(const Array& x, const Array& indices, std::optional<int> axis) {
  if (!axis) return index(x.ravel(), as(indices, Dtype::kInt64));
  std::vector<IndexPart> parts(static_cast<std::size_t>(normal_axis(*axis, x.rank())),
                               {Kind::kSlice, {}, {}, 1, {}});
  parts.push_back({Kind::kArray, {}, {}, 1, as(indices, Dtype::kInt64)});
  return index(x, parts);
}

namespace {

/// The indices along every other axis; together with `indices` they name one entry each.
std::vector<IndexPart> along(const Array& x, const Array& indices, int axis) {
  if (indices.rank() != x.rank()) {
    throw ValueError("`indices` and `arr` must have the same number of dimensions");
  }
  const int chosen_axis = normal_axis(axis, x.rank());
  std::vector<IndexPart> parts;
  for (int a = 0; a < x.rank(); ++a) {
    Array list = indices;
    if (a != chosen_axis) {
      Shape shape(std::vector<Index>(static_cast<std::size_t>(x.rank()), 1));
      shape[a] = x.shape()[a];
      list = arange(x.shape()[a]).reshape(shape);
    }
    parts.push_back({Kind::kArray, {}, {}, 1, list});
  }
  return parts;
}

}  // namespace

Array take_along_axis(const Array& x, const Array& indices, int axis) {
  return index(x, along(x, indices, axis));
}

void put_along_axis(const Array& x, const Array& indices, const Array& values, int axis) {
  set_index(x, along(x, indices, axis), values);
}

std::vector<Array> nonzero(const Array& x) {
  if (x.rank() == 0) throw ValueError("Calling nonzero on 0d arrays is not allowed");
  const Array flags = contiguous_as(x, Dtype::kBool);
  const bool* const flag = entries<bool>(flags);
  const Index size = x.size(), count = std::count(flag, flag + size, true);
  std::vector<Array> lists;
  std::vector<std::int64_t*> to;
  for (int axis = 0; axis < x.rank(); ++axis) {
    lists.push_back(Array::allocate({count}, Dtype::kInt64));
    to.push_back(entries<std::int64_t>(lists.back()));
  }
  for (Index i = 0; i < size; ++i) {
    if (!flag[i]) continue;
    Index rest = i;
    for (int axis = x.rank() - 1; axis >= 0; --axis) {
      const Index length = x.shape()[axis];
      *to[static_cast<std::size_t>(axis)]++ = rest % length;
      rest /= length;
    }
  }
  note_touched(size + count * x.rank());
  return lists;
}

}  // namespace attn::array
