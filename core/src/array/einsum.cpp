#include <algorithm>
#include <cctype>

#include "attn/array/array.hpp"
#include "internal.hpp"

namespace attn::array {
namespace {

constexpr const char* kSum = "einstein sum subscripts string ";

/// The letters of one operand; a single '.' stands for the axes of an ellipsis.
std::string letters_of(std::string_view text, const std::string& where) {
  std::string letters;
  bool dots = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (std::isalpha(static_cast<unsigned char>(c))) {
      letters += c;
    } else if (c == '.' && text.substr(i, 3) == "..." && !dots) {
      letters += '.';
      dots = true;
      i += 2;
    } else if (c == '.') {
      throw ValueError(std::string(kSum) +
                       "contains a '.' that is not part of an ellipsis ('...') in " + where);
    } else {
      throw ValueError(std::string("invalid subscript '") + c +
                       "' in einstein sum subscripts string, subscripts must be letters");
    }
  }
  return letters;
}

struct Plan {
  std::vector<std::string> inputs;
  std::string output;
};

Plan parse(std::string_view text, std::size_t operands) {
  Plan plan;
  std::string_view left = text, right;
  const std::size_t arrow = text.find('-');
  const bool explicit_output = arrow != std::string_view::npos;
  if (explicit_output) {
    if (text.substr(arrow, 2) != "->") {
      throw ValueError(
          "einstein sum subscript string does not contain proper '->' output specified");
    }
    left = text.substr(0, arrow);
    right = text.substr(arrow + 2);
  }
  for (std::size_t begin = 0; begin <= left.size();) {
    const std::size_t end = std::min(left.find(',', begin), left.size());
    plan.inputs.push_back(letters_of(left.substr(begin, end - begin),
                                     "operand " + std::to_string(plan.inputs.size())));
    begin = end + 1;
  }
  if (plan.inputs.size() > operands) {
    throw ValueError(
        "more operands provided to einstein sum function than specified in the subscripts string");
  }
  if (plan.inputs.size() < operands) {
    throw ValueError(
        "fewer operands provided to einstein sum function than specified in the subscripts "
        "string");
  }
  if (explicit_output) {
    plan.output = letters_of(right, "the output");
    for (std::size_t i = 0; i < plan.output.size(); ++i) {
      const char c = plan.output[i];
      if (plan.output.find(c) != i) {
        throw ValueError(std::string(kSum) + "includes output subscript '" + c +
                         "' multiple times");
      }
      const bool known = std::any_of(plan.inputs.begin(), plan.inputs.end(), [&](const auto& in) {
        return in.find(c) != std::string::npos;
      });
      if (!known && c != '.') {
        throw ValueError(std::string(kSum) + "included output subscript '" + c +
                         "' which never appeared in an input");
      }
    }
    return plan;
  }
  // Without an arrow, the result has the letters that occur once, in alphabetical order.
  std::string all;
  for (const std::string& input : plan.inputs) all += input;
  if (all.find('.') != std::string::npos) plan.output = ".";
  std::sort(all.begin(), all.end());
  for (const char c : all) {
    if (c != '.' && std::count(all.begin(), all.end(), c) == 1) plan.output += c;
  }
  return plan;
}

/// Every letter is an axis of one long loop: first those of the output, then those that are summed.
class Loops {
 public:
  Loops(const Plan& plan, const std::vector<Array>& operands) : plan_(plan), operands_(operands) {
    int dots = -1;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const std::string& letters = plan.inputs[k];
      const int rank = operands[k].rank();
      const bool has_dots = letters.find('.') != std::string::npos;
      const int named = static_cast<int>(letters.size()) - (has_dots ? 1 : 0);
      if (named > rank) {
        throw ValueError(std::string(kSum) + "contains too many subscripts for operand " +
                         std::to_string(k));
      }
      if (!has_dots && named < rank) {
        throw ValueError(
            "operand has more dimensions than subscripts given in einstein sum, but no '...' "
            "ellipsis provided to broadcast the extra dimensions.");
      }
      if (has_dots) dots = std::max(dots, rank - named);
    }
    if (dots > 0 && plan.output.find('.') == std::string::npos) {
      throw ValueError(
          "output has more dimensions than subscripts given in einstein sum, but no '...' ellipsis "
          "provided to broadcast the extra dimensions.");
    }
    dots_ = std::max(dots, 0);
    for (const char c : plan.output) add(c);
    output_rank_ = static_cast<int>(axes_.size());
    for (const std::string& input : plan.inputs) {
      for (const char c : input) add(c);
    }
    if (axes_.size() > 16) throw ValueError("too many subscripts in einsum");
    lengths_.assign(axes_.size(), 1);
    for (std::size_t k = 0; k < operands.size(); ++k) fit(k);
  }

  Shape output_shape() const { return Shape(lengths_.data(), lengths_.data() + output_rank_); }
  double points() const {
    double product = 1;
    for (const Index length : lengths_) product *= static_cast<double>(length);
    return product;
  }

  template <typename T>
  void run(const Array& out) const {
    const std::size_t axes = axes_.size(), count = operands_.size();
    std::vector<std::vector<Index>> strides;
    std::vector<const char*> at;
    for (std::size_t k = 0; k < count; ++k) {
      strides.push_back(strides_of(k));
      at.push_back(operands_[k].data());
    }
    for (const Index length : lengths_) {
      if (length == 0) return;
    }
    // The last summed axis is the inner loop; without one, the inner loop has length 1.
    const bool sums = static_cast<std::size_t>(output_rank_) < axes;
    const std::size_t outer = sums ? axes - 1 : axes;
    const Index inner = sums ? lengths_[outer] : 1;
    std::vector<Index> position(outer, 0);
    T* to = entries<T>(out);
    for (;;) {
      *to += line<T>(at, strides, sums ? outer : axes, inner);
      std::size_t axis = outer;
      for (;;) {
        if (axis == 0) return;
        --axis;
        for (std::size_t k = 0; k < count; ++k) at[k] += strides[k][axis];
        if (++position[axis] < lengths_[axis]) break;
        for (std::size_t k = 0; k < count; ++k) at[k] -= strides[k][axis] * lengths_[axis];
        position[axis] = 0;
      }
      // Output axes come first, so the loop moves to the next output entry on them, and after a
      // summed axis is complete.
      if (static_cast<int>(axis) < output_rank_) ++to;
    }
  }

 private:
  template <typename T>
  static T line(const std::vector<const char*>& at, const std::vector<std::vector<Index>>& strides,
                std::size_t axis, Index count) {
    const auto step = [&](std::size_t k) {
      return axis < strides[k].size() ? strides[k][axis] : 0;
    };
    T sum = 0;
    if (at.size() == 2) {
      const char *x = at[0], *y = at[1];
      const Index dx = step(0), dy = step(1);
      for (Index i = 0; i < count; ++i, x += dx, y += dy) {
        sum += *reinterpret_cast<const T*>(x) * *reinterpret_cast<const T*>(y);
      }
      return sum;
    }
    for (Index i = 0; i < count; ++i) {
      T product = 1;
      for (std::size_t k = 0; k < at.size(); ++k) {
        product *= *reinterpret_cast<const T*>(at[k] + i * step(k));
      }
      sum += product;
    }
    return sum;
  }

  void add(char c) {
    if (c == '.') {
      for (int d = 0; d < dots_; ++d) add(static_cast<char>(d));
    } else if (axes_.find(c) == std::string::npos) {
      axes_ += c;
    }
  }

  /// The axis of the loop for each axis of an operand.
  std::vector<std::size_t> axes_of(std::size_t k) const {
    std::vector<std::size_t> list;
    const std::string& letters = plan_.inputs[k];
    const int extra = operands_[k].rank() - (static_cast<int>(letters.size()) - 1);
    for (const char c : letters) {
      if (c != '.') {
        list.push_back(axes_.find(c));
        continue;
      }
      for (int d = dots_ - extra; d < dots_; ++d) {
        list.push_back(axes_.find(static_cast<char>(d)));
      }
    }
    return list;
  }

  void fit(std::size_t k) {
    const std::vector<std::size_t> list = axes_of(k);
    for (std::size_t a = 0; a < list.size(); ++a) {
      Index& length = lengths_[list[a]];
      const Index seen = operands_[k].shape()[static_cast<int>(a)];
      if (length == 1) {
        length = seen;
      } else if (seen != 1 && seen != length) {
        refuse(k, list, a);
      }
    }
  }

  [[noreturn]] void refuse(std::size_t k, const std::vector<std::size_t>& list,
                           std::size_t a) const {
    const char letter = axes_[list[a]];
    for (std::size_t b = 0; b < a; ++b) {
      if (list[b] != list[a]) continue;
      throw ValueError("dimensions in operand " + std::to_string(k) + " for collapsing index '" +
                       letter + "' don't match (" +
                       std::to_string(operands_[k].shape()[static_cast<int>(b)]) +
                       " != " + std::to_string(operands_[k].shape()[static_cast<int>(a)]) + ")");
    }
    std::string text =
        "operands could not be broadcast together with remapped shapes [original->remapped]: ";
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const std::vector<std::size_t> mine = axes_of(i);
      std::size_t last = 0;
      for (std::size_t j = 0; j < operands_.size(); ++j) {
        for (const std::size_t axis : axes_of(j)) last = std::max(last, axis);
      }
      bool begun = false;
      text += operands_[i].shape().text() + "->(";
      for (std::size_t axis = 0; axis <= last; ++axis) {
        const auto found = std::find(mine.begin(), mine.end(), axis);
        // NumPy leaves out new axes at the beginning.
        if (!begun && found == mine.end()) continue;
        if (begun) text += ',';
        begun = true;
        text += found == mine.end()
                    ? "newaxis"
                    : std::to_string(operands_[i].shape()[static_cast<int>(found - mine.begin())]);
      }
      text += ") ";
    }
    throw ValueError(text);
  }

  /// A letter that occurs twice in one operand selects its diagonal; an axis of length 1 is
  /// stretched.
  std::vector<Index> strides_of(std::size_t k) const {
    std::vector<Index> strides(axes_.size(), 0);
    const std::vector<std::size_t> list = axes_of(k);
    for (std::size_t a = 0; a < list.size(); ++a) {
      const int axis = static_cast<int>(a);
      if (operands_[k].shape()[axis] != 1) strides[list[a]] += operands_[k].strides()[axis];
    }
    return strides;
  }

  const Plan& plan_;
  const std::vector<Array>& operands_;
  int dots_ = 0, output_rank_ = 0;
  std::string axes_;
  std::vector<Index> lengths_;
};

}  // namespace

Array einsum(std::string_view subscripts, const std::vector<Array>& given) {
  if (given.empty()) {
    throw ValueError("must provide at least an operand and a subscripts list to einsum");
  }
  const Plan plan = parse(subscripts, given.size());
  Dtype dtype = given.front().dtype();
  for (const Array& operand : given) dtype = promote(dtype, operand.dtype());
  const bool boolean = dtype == Dtype::kBool;
  if (boolean) dtype = Dtype::kInt64;
  std::vector<Array> operands;
  Index read = 0;
  for (const Array& operand : given) {
    operands.push_back(as(operand, dtype));
    read += operand.size();
  }
  const Loops loops(plan, operands);
  const Array out = Array::allocate(loops.output_shape(), dtype);
  copy_into(out, Array(0.0));
  with_type(dtype, [&](auto tag) {
    using T = std::conditional_t<std::is_same_v<decltype(tag), std::int64_t>, std::uint64_t,
                                 decltype(tag)>;
    if constexpr (!std::is_same_v<T, bool>) loops.run<T>(out);
  });
  // One product is counted for each further factor at every point of the loop; a sum of one operand
  // has no products.
  note_multiply_adds(loops.points() * static_cast<double>(given.size() - 1));
  note_touched(read + out.size());
  return boolean ? as(out, Dtype::kBool) : out;
}

}  // namespace attn::array
