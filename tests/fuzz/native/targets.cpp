#include "targets.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "attn/array/array.hpp"

namespace attn::fuzz {
namespace {

using namespace attn::array;
using Kind = IndexPart::Kind;

/// Small numbers from the bytes, and zeros when they are used up.
class Reader {
 public:
  Reader(const std::uint8_t* bytes, std::size_t size) : at_(bytes), end_(bytes + size) {}
  int byte() { return at_ == end_ ? 0 : *at_++; }
  /// From 0 to `end` − 1.
  int below(int end) { return byte() % end; }
  std::string rest() { return {at_, end_}; }
  bool done() const { return at_ == end_; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

void must(bool holds, const std::string& what) {
  if (!holds) throw Finding(what);
}

/// NumPy's error, with words; anything else that is thrown is a fault.
template <typename F>
bool answers(F&& f) {
  try {
    f();
    return true;
  } catch (const ArrayError& error) {
    must(std::string(error.what()).size() > 8, "an error without words");
    must(std::string(error.type()).size() > 4, "an error without a type");
    return false;
  }
}

/// An array of up to four axes of 0 to 4 entries, each of which says its place; sometimes a view
/// whose strides are not those of its shape.
Array an_array(Reader& in, int most_axes = 4) {
  const int how = in.byte();
  Shape shape;
  for (int axis = how % (most_axes + 1); axis > 0; --axis) shape.push_back(in.below(5));
  const Dtype dtype = static_cast<Dtype>((how >> 3) % 4);
  Array x = arange(0.0, static_cast<double>(shape.size()), 1.0, Dtype::kFloat64).reshape(shape);
  if (dtype == Dtype::kBool) {
    x = remainder(x, 2.0).astype(dtype);
  } else {
    x = x.astype(dtype);
  }
  if (how & 0x20) x = transpose(x);
  if ((how & 0x40) && x.rank() > 0) x = flip(x, Axes(0));
  if ((how & 0x80) && x.rank() > 0) x = x.slice(-1, {}, {}, 2);
  return x;
}

/// A place as it is written: mostly inside, now and then far outside.
Index place(int byte) {
  constexpr Index kFar[] = {-9, 9, 100000, -2147483647, 2147483647};
  return byte >= 250 ? kFar[byte - 250 < 5 ? byte - 250 : 0] : byte % 9 - 4;
}

IndexPart a_part(Reader& in) {
  IndexPart part{static_cast<Kind>(in.below(5)), {}, {}, 1, Array(false)};
  switch (part.kind) {
    case Kind::kInteger:
      part.begin = place(in.byte());
      break;
    case Kind::kSlice: {
      const int given = in.byte();
      if (given & 1) part.begin = place(in.byte());
      if (given & 2) part.end = place(in.byte());
      if (given & 4) part.step = place(in.byte());
      break;
    }
    case Kind::kArray: {
      const int how = in.byte();
      Array list = an_array(in, 2);
      // Mostly whole numbers of a small range, sometimes flags, sometimes what is refused.
      if (how & 1) {
        list = (list - Array(how % 5)).astype(Dtype::kInt64);
      } else if (how & 2) {
        list = (list > Array(how % 3)).astype(Dtype::kBool);
      }
      part.array = list;
      break;
    }
    default:
      break;
  }
  return part;
}

/// The entries of x[parts] as places in x, row by row: x with every entry replaced by its own place
/// would be picked apart the same way, so one index of whole numbers tells all others what they
/// are.
struct Picked {
  Shape shape;
  std::vector<double> places;
};

/// Python's slices: what `slice(begin, end, step).indices(length)` walks.
std::vector<Index> walked(const IndexPart& part, std::int64_t length) {
  // With 64 bits also where an Index has 32, so that no step leads out of them.
  const std::int64_t step = part.step;
  const auto clip = [&](std::int64_t at, std::int64_t low, std::int64_t high) {
    if (at < 0) at += length;
    return std::clamp(at, low, high);
  };
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? length : length - 1;
  const std::int64_t begin = part.begin ? clip(*part.begin, low, high) : (step > 0 ? low : high);
  const std::int64_t end = part.end ? clip(*part.end, low, high) : (step > 0 ? high : low);
  std::vector<Index> places;
  for (std::int64_t at = begin; step > 0 ? at < end : at > end; at += step) {
    places.push_back(static_cast<Index>(at));
  }
  return places;
}

/// A slow x[parts] without lists: for every axis of x the places that are taken of it.
Picked picked(const Array& x, const std::vector<IndexPart>& parts) {
  int taken = 0;
  for (const IndexPart& part : parts) {
    taken += part.kind == Kind::kInteger || part.kind == Kind::kSlice ? 1 : 0;
  }
  const bool dots = std::any_of(parts.begin(), parts.end(),
                                [](const IndexPart& part) { return part.kind == Kind::kEllipsis; });
  std::vector<IndexPart> all = parts;
  const IndexPart whole{Kind::kSlice, {}, {}, 1, Array(false)};
  if (!dots) all.push_back({Kind::kEllipsis, {}, {}, 1, Array(false)});
  std::vector<IndexPart> filled;
  for (const IndexPart& part : all) {
    if (part.kind != Kind::kEllipsis) {
      filled.push_back(part);
    } else {
      for (int axis = taken; axis < x.rank(); ++axis) filled.push_back(whole);
    }
  }
  Picked out;
  std::vector<std::vector<Index>> axes;
  for (const IndexPart& part : filled) {
    const int axis = static_cast<int>(axes.size());
    if (part.kind == Kind::kNewAxis) {
      out.shape.push_back(1);
    } else if (part.kind == Kind::kInteger) {
      const Index at = *part.begin, length = x.shape()[axis];
      must(at >= -length && at < length, "an index outside of its axis was taken");
      axes.push_back({at < 0 ? at + length : at});
    } else {
      must(part.step != 0, "a step of 0 was taken");
      axes.push_back(walked(part, x.shape()[axis]));
      out.shape.push_back(static_cast<Index>(axes.back().size()));
    }
  }
  std::vector<double> places{0};
  for (int axis = 0; axis < x.rank(); ++axis) {
    std::vector<double> next;
    for (const double before : places) {
      for (const Index at : axes[static_cast<std::size_t>(axis)]) {
        next.push_back(before * static_cast<double>(x.shape()[axis]) + static_cast<double>(at));
      }
    }
    places = next;
  }
  out.places = places;
  return out;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void must_be(const std::vector<double>& seen, const std::vector<double>& wanted,
             const std::string& what) {
  must(seen.size() == wanted.size() && std::equal(seen.begin(), seen.end(), wanted.begin(), same),
       what);
}

}  // namespace

bool indexing(const std::uint8_t* bytes, std::size_t size) {
  Reader in(bytes, size);
  const Array x = an_array(in);
  std::vector<IndexPart> parts;
  for (int count = in.below(6); count > 0; --count) parts.push_back(a_part(in));

  // The same index of the places: what x[parts] holds must be the entries at those places.
  const Array numbered =
      arange(0.0, static_cast<double>(x.size()), 1.0, Dtype::kFloat64).reshape(x.shape());
  Array found, where;
  const bool read = answers([&] { found = index(x, parts); });
  must(answers([&] { where = index(numbered, parts); }) == read, "two arrays, two answers");
  const bool lists = std::any_of(parts.begin(), parts.end(),
                                 [](const IndexPart& part) { return part.kind == Kind::kArray; });
  const std::vector<double> before = x.values();
  if (!read) {
    // What cannot be read cannot be written either, and nothing was.
    must(!answers([&] { set_index(x.copy(), parts, Array(1.0)); }), "written, and not to be read");
    must_be(x.values(), before, "changed by an index that was refused");
    return false;
  }
  must(found.shape() == where.shape(), "two arrays, two shapes");
  const std::vector<double> places = where.values();
  if (!lists) {
    const Picked wanted = picked(x, parts);
    must(wanted.shape == found.shape(), "another shape than the slices say");
    must_be(places, wanted.places, "other places than the slices say");
  }
  std::vector<double> entries;
  for (const double at : places) {
    must(at >= 0 && at < static_cast<double>(before.size()), "a place outside of x");
    entries.push_back(before[static_cast<std::size_t>(at)]);
  }
  must_be(found.values(), entries, "x[parts] is not what lies at its places");

  // Written and read again; what was not chosen stays.
  const Array target = x.copy();
  set_index(target, parts, found);
  must_be(target.values(), before, "x[parts] = x[parts] changed x");
  const Array zeroed = numbered.copy();
  set_index(zeroed, parts, Array(-1.0));
  std::vector<double> wanted = numbered.values();
  for (const double at : places) wanted[static_cast<std::size_t>(at)] = -1;
  must_be(zeroed.values(), wanted, "x[parts] = −1 wrote elsewhere");
  const Array counted = zeros(x.shape());
  apply_at(Binary::kAdd, counted, parts, Array(1.0));
  std::vector<double> times(before.size(), 0);
  for (const double at : places) times[static_cast<std::size_t>(at)] += 1;
  must_be(counted.values(), times, "np.add.at did not count every place");
  must_be(x.values(), before, "x changed while it was read");
  return true;
}

bool einsum(const std::uint8_t* bytes, std::size_t size) {
  Reader in(bytes, size);
  std::vector<Array> operands;
  for (int count = in.below(4); count > 0; --count) operands.push_back(an_array(in, 3));
  const std::string subscripts = in.rest();
  Array found;
  // A long text makes many letters; the loop over them is the caller's own.
  if (!answers([&] { found = array::einsum(subscripts, operands); })) return false;

  // Every letter, and every axis of the dots, has one length.
  std::string text;
  for (const char c : subscripts) {
    if (c != ' ') text += c;
  }
  const std::size_t arrow = text.find("->");
  const std::string left = text.substr(0, arrow);
  std::vector<std::string> inputs{""};
  for (const char c : left) {
    if (c == ',') {
      inputs.emplace_back();
    } else {
      inputs.back() += c;
    }
  }
  must(inputs.size() == operands.size(), "another number of operands than of subscripts");
  // Dots become letters of their own, counted from the last axis.
  int most_dots = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k].find("...") != std::string::npos) {
      most_dots = std::max(most_dots, operands[k].rank() - static_cast<int>(inputs[k].size()) + 3);
    }
  }
  const auto spelled = [&](std::string letters, int dots) {
    const std::size_t at = letters.find("...");
    if (at == std::string::npos) return letters;
    std::string axes;
    for (int d = most_dots - dots; d < most_dots; ++d) axes += static_cast<char>(1 + d);
    return letters.replace(at, 3, axes);
  };
  std::map<char, Index> length;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    inputs[k] = spelled(inputs[k], operands[k].rank() - static_cast<int>(inputs[k].size()) + 3);
    must(static_cast<int>(inputs[k].size()) == operands[k].rank(), "letters that name no axis");
    for (std::size_t a = 0; a < inputs[k].size(); ++a) {
      const Index seen = operands[k].shape()[static_cast<int>(a)];
      Index& known = length.try_emplace(inputs[k][a], 1).first->second;
      must(known == 1 || seen == 1 || seen == known, "lengths that do not fit were taken");
      if (known == 1) known = seen;
    }
  }
  std::string output;
  if (arrow != std::string::npos) {
    output = spelled(text.substr(arrow + 2), most_dots);
  } else {
    std::map<char, int> times;
    for (const std::string& input : inputs) {
      for (const char c : input) times[c] += 1;
    }
    for (int d = 0; d < most_dots; ++d) output += static_cast<char>(1 + d);
    for (const auto& [c, count] : times) {
      if (c >= 'A' && count == 1) output += c;
    }
  }
  Shape shape;
  for (const char c : output) shape.push_back(length.at(c));
  must(found.shape() == shape, "another shape than the subscripts say");

  // A walk over all values of all letters.
  std::vector<char> letters(output.begin(), output.end());
  for (const auto& [c, count] : length) {
    if (output.find(c) == std::string::npos) letters.push_back(c);
  }
  std::map<char, Index> at;
  Index points = 1;
  for (const char c : letters) points *= length[c];
  if (points > 20000) return true;
  std::vector<double> sums(static_cast<std::size_t>(shape.size()), 0);
  bool flags = true;
  std::vector<std::vector<double>> values;
  for (const Array& operand : operands) {
    flags = flags && operand.dtype() == Dtype::kBool;
    values.push_back(operand.values());
  }
  for (Index point = 0; point < points; ++point) {
    Index rest = point;
    for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter) {
      at[*letter] = rest % length[*letter];
      rest /= length[*letter];
    }
    double product = 1;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      Index flat = 0;
      for (std::size_t a = 0; a < inputs[k].size(); ++a) {
        const Index size_here = operands[k].shape()[static_cast<int>(a)];
        flat = flat * size_here + (size_here == 1 ? 0 : at[inputs[k][a]]);
      }
      product *= values[k][static_cast<std::size_t>(flat)];
    }
    Index to = 0;
    for (const char c : output) to = to * length[c] + at[c];
    sums[static_cast<std::size_t>(to)] += product;
  }
  if (flags) {
    for (double& sum : sums) sum = sum != 0 ? 1 : 0;
  }
  // Small whole numbers: exact also in float32.
  must_be(found.values(), sums, "another sum than the subscripts say");
  return true;
}

}  // namespace attn::fuzz
