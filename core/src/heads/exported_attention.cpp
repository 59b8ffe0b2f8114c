#include "attn/heads/exported_attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "attn/base/errors.hpp"
#include "attn/heads/phrases.hpp"

namespace attn {
namespace {

/// So many names an error lists.
constexpr std::size_t kMostNames = 5;

std::string listed_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return names.size() > kMostNames ? text + " …" : text;
}

std::string shape_of_axes(const std::vector<Index>& shape) {
  std::string text;
  for (const Index size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "(" + text + ")";
}

/// A name cut into its words and its numbers.
struct CutName {
  std::string words;
  std::vector<Index> numbers;
};

CutName cut_name(std::string_view name) {
  CutName made;
  for (std::size_t i = 0; i < name.size();) {
    if (name[i] < '0' || name[i] > '9') {
      made.words += name[i++];
      continue;
    }
    // Longer numbers count nothing here.
    Index number = 0;
    for (; i < name.size() && name[i] >= '0' && name[i] <= '9'; ++i) {
      number = std::min<Index>(number, 99'999'999) * 10 + (name[i] - '0');
    }
    made.words += '#';
    made.numbers.push_back(number);
  }
  return made;
}

/// An array whose axes are known: (layers, batch, heads, rows, cols), from `first` on.
template <typename T>
struct Piece {
  const ExportedArray<T>* array = nullptr;
  Index layers = 1, batch = 1, heads = 1, rows = 1, cols = 1;
  Index first = 0;
  /// Numbers of its name that not all arrays have.
  std::vector<Index> numbers;

  const T* row(Index layer, Index which, Index head, Index i) const {
    return array->numbers.data() + first +
           (((layer * batch + which) * heads + head) * rows + i) * cols;
  }
};

template <typename T>
[[noreturn]] void refuse_shape(const ExportedArray<T>& array) {
  throw ShapeError("arrays", phrase::array_of_axes(array.name, shape_of_axes(array.shape)),
                   phrase::axes_of_attention);
}

/// `layers_in_front`: of four axes the first is that of the layers; else it is that of the batch.
template <typename T>
Piece<T> piece_of(const ExportedArray<T>& array, bool layers_in_front) {
  const std::vector<Index>& shape = array.shape;
  const std::size_t axes = shape.size();
  if (axes < 2 || axes > 5 || (axes == 5 && !layers_in_front)) refuse_shape(array);
  Piece<T> made;
  made.array = &array;
  made.rows = shape[axes - 2];
  made.cols = shape[axes - 1];
  if (axes > 2) made.heads = shape[axes - 3];
  if (axes == 4) (layers_in_front ? made.layers : made.batch) = shape[0];
  if (axes == 5) {
    made.layers = shape[0];
    made.batch = shape[1];
  }
  return made;
}

/// How many numbers of a row are there: those behind are NaN.
template <typename T>
Index length_of(const T* row, Index cols) {
  while (cols > 0 && std::isnan(row[cols - 1])) --cols;
  return cols;
}

template <typename T>
class Reader {
 public:
  Reader(const std::vector<ExportedArray<T>>& arrays, const ExportedAttentionOptions& options)
      : options_(options) {
    if (!(options.tolerance >= 0 && options.tolerance < 1)) {
      throw ValueError("tolerance", phrase::number(options.tolerance),
                       phrase::number_from_to_below(0, 1));
    }
    if (options.batch < 0) {
      throw ValueError("batch", phrase::number(options.batch), phrase::at_least(0));
    }
    std::uint64_t all = 0;
    for (const ExportedArray<T>& array : arrays) {
      std::uint64_t wanted = 1;
      for (const Index size : array.shape) {
        if (size < 1 || wanted > kMostExportedNumbers) refuse_shape(array);
        wanted *= static_cast<std::uint64_t>(size);
      }
      if (wanted != static_cast<std::uint64_t>(array.numbers.size())) {
        throw ShapeError("arrays", phrase::numbers_seen(array.numbers.size()),
                         phrase::array_of_axes(array.name, shape_of_axes(array.shape)));
      }
      all += wanted;
    }
    if (all > kMostExportedNumbers) {
      throw CapacityError("arrays", phrase::numbers_seen(all),
                          phrase::at_most(kMostExportedNumbers));
    }
    choose(arrays);
  }

  ExportedAttention<T> read() {
    if (arrays_.size() == 1) {
      read_one(*arrays_.front());
    } else {
      read_several();
    }
    check();
    return std::move(made_);
  }

 private:
  /// Leaves out what is not meant.
  void choose(const std::vector<ExportedArray<T>>& arrays) {
    const auto meant = [&](const ExportedArray<T>& array) {
      if (!options_.name.empty()) return array.name.find(options_.name) != std::string::npos;
      return array.name.find("attention") != std::string::npos ||
             array.name.find("attn") != std::string::npos;
    };
    const bool some = std::any_of(arrays.begin(), arrays.end(), meant);
    const bool by_name = some || !options_.name.empty();
    const auto axes_of = [](const ExportedArray<T>& array) { return array.shape.size(); };
    std::size_t most = 0;
    for (const ExportedArray<T>& array : arrays) {
      if (!by_name || meant(array)) most = std::max(most, axes_of(array));
    }
    for (const ExportedArray<T>& array : arrays) {
      // Beside weights of heads, an array of two axes is something else: tokens' numbers, a mask.
      const bool is_one = (!by_name || meant(array)) &&
                          axes_of(array) >= std::min<std::size_t>(most, 3) && most >= 2;
      if (is_one) {
        arrays_.push_back(&array);
      } else {
        made_.left_out.push_back(array.name);
      }
    }
    if (!arrays_.empty()) return;
    if (made_.left_out.empty()) throw ShapeError("arrays", phrase::none, phrase::axes_of_attention);
    throw ShapeError("arrays", phrase::name(listed_names(made_.left_out)),
                     phrase::axes_of_attention);
  }

  void read_one(const ExportedArray<T>& array) {
    if (array.shape.size() >= 5) {
      if (const auto steps = padded_steps(array)) return assemble_steps(*steps);
      if (array.shape.size() > 5) refuse_shape(array);
    }
    const Piece<T> piece = piece_of(array, true);
    made_.layout = AttentionLayout::kOneArray;
    begin(piece.layers, piece.heads, piece.rows, piece.cols);
    for (Index l = 0; l < piece.layers; ++l) {
      made_.layer_numbers.push_back(l);
      place(piece, l, l, 0);
    }
  }

  /// The steps of generation that one array holds, padded with NaN.
  std::optional<std::vector<std::vector<Piece<T>>>> padded_steps(const ExportedArray<T>& array) {
    const std::vector<Index>& shape = array.shape;
    const bool has_batch = shape.size() == 6;
    if (shape.size() > 6) refuse_shape(array);
    const Index steps = shape[0], layers = shape[1], batch = has_batch ? shape[2] : 1;
    const std::size_t at = has_batch ? 3 : 2;
    const Index heads = shape[at], rows = shape[at + 1], cols = shape[at + 2];
    const Index each = layers * batch * heads * rows * cols;
    std::vector<std::vector<Piece<T>>> made;
    Index before = 0;
    for (Index s = 0; s < steps; ++s) {
      Piece<T> whole{&array, layers, batch, heads, rows, cols, s * each, {s}};
      // Rows that are there, and the keys of the last of them.
      Index queries = 0;
      while (queries < rows && length_of(whole.row(0, 0, 0, queries), cols) > 0) ++queries;
      const Index keys = queries == 0 ? 0 : length_of(whole.row(0, 0, 0, queries - 1), cols);
      if (queries == 0 || (s > 0 && keys != before + queries)) {
        rows_there_.clear();
        keys_there_.clear();
        return std::nullopt;
      }
      before = keys;
      rows_there_.push_back(queries);
      keys_there_.push_back(keys);
      made.push_back({whole});
    }
    // Where nothing is missing, five axes are layers, batch, heads, rows and columns.
    const bool missing = rows_there_.back() < rows || keys_there_.front() < cols;
    if (!missing && !has_batch) {
      rows_there_.clear();
      keys_there_.clear();
      return std::nullopt;
    }
    return made;
  }

  void read_several() {
    std::vector<CutName> names;
    std::vector<std::string> whole_names;
    for (const ExportedArray<T>* array : arrays_) {
      names.push_back(cut_name(array->name));
      whole_names.push_back(array->name);
    }
    for (const CutName& name : names) {
      if (name.words == names.front().words) continue;
      throw ValueError("arrays", phrase::name(listed_names(whole_names)),
                       phrase::names_of_one_kind);
    }
    // The numbers that differ say what an array is; the others belong to the name of the model.
    std::vector<std::size_t> differing;
    for (std::size_t k = 0; k < names.front().numbers.size(); ++k) {
      const bool differs = std::any_of(names.begin(), names.end(), [&](const CutName& name) {
        return name.numbers[k] != names.front().numbers[k];
      });
      if (differs) differing.push_back(k);
    }
    std::map<std::vector<Index>, const ExportedArray<T>*> sorted;
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::vector<Index> key;
      for (const std::size_t k : differing) key.push_back(names[i].numbers[k]);
      sorted[key] = arrays_[i];
    }
    if (differing.empty() || differing.size() > 2 || sorted.size() != arrays_.size()) {
      throw ValueError("arrays", phrase::name(listed_names(whole_names)),
                       phrase::names_of_one_kind);
    }
    const auto cols_of = [](const ExportedArray<T>& array) { return array.shape.back(); };
    if (differing.size() == 1) {
      const Index first = cols_of(*sorted.begin()->second);
      const bool grows = std::any_of(sorted.begin(), sorted.end(), [&](const auto& one) {
        return cols_of(*one.second) != first;
      });
      // Where names speak of a layer, the axis in front of the heads is that of the batch.
      const bool is_step = grows && names.front().words.find("layer") == std::string::npos;
      std::vector<Piece<T>> pieces;
      for (const auto& [key, array] : sorted) {
        pieces.push_back(piece_of(*array, is_step));
        pieces.back().numbers = key;
      }
      if (!grows) return assemble_layers(pieces);
      std::vector<std::vector<Piece<T>>> steps;
      for (const Piece<T>& piece : pieces) steps.push_back({piece});
      return assemble_steps(steps);
    }
    assemble_by_two(sorted);
  }

  void assemble_layers(const std::vector<Piece<T>>& pieces) {
    made_.layout = AttentionLayout::kArrayEachLayer;
    const Piece<T>& like = pieces.front();
    begin(static_cast<Index>(pieces.size()), like.heads, like.rows, like.cols);
    for (const Piece<T>& piece : pieces) {
      require_like(piece, like);
      place(piece, 0, static_cast<Index>(made_.layer_numbers.size()), 0);
      made_.layer_numbers.push_back(piece.numbers.front());
    }
  }

  /// Two numbers in each name: those of layer and head, or of step and layer in either order.
  void assemble_by_two(const std::map<std::vector<Index>, const ExportedArray<T>*>& sorted) {
    std::map<Index, std::map<Index, Piece<T>>> by_first, by_second;
    for (const auto& [key, array] : sorted) {
      Piece<T> piece = piece_of(*array, false);
      piece.numbers = key;
      by_first[key[0]].emplace(key[1], piece);
      by_second[key[1]].emplace(key[0], std::move(piece));
    }
    const auto whole = [&](const auto& groups) {
      for (const auto& [number, group] : groups) {
        if (group.size() == groups.begin()->second.size()) continue;
        throw ValueError("arrays", phrase::arrays_at_number(group.size(), number),
                         phrase::as_many_arrays(groups.begin()->second.size()));
      }
    };
    whole(by_first);
    whole(by_second);
    // Whose number the keys grow with counts the steps.
    const auto grows = [](const auto& groups) {
      const auto cols = [](const auto& group) { return group.second.begin()->second.cols; };
      return std::any_of(groups.begin(), groups.end(),
                         [&](const auto& group) { return cols(group) != cols(*groups.begin()); });
    };
    const auto steps_of = [&](const auto& groups) {
      std::vector<std::vector<Piece<T>>> steps;
      for (const auto& [number, group] : groups) {
        steps.emplace_back();
        for (const auto& [layer, piece] : group) {
          steps.back().push_back(piece);
          if (steps.size() == 1) made_.layer_numbers.push_back(layer);
        }
      }
      assemble_steps(steps);
    };
    if (grows(by_first)) return steps_of(by_first);
    if (grows(by_second)) return steps_of(by_second);
    made_.layout = AttentionLayout::kArrayEachHead;
    const Piece<T>& like = by_first.begin()->second.begin()->second;
    if (like.heads > 1) refuse_shape(*like.array);
    begin(static_cast<Index>(by_first.size()), static_cast<Index>(by_second.size()), like.rows,
          like.cols);
    for (const auto& [layer, group] : by_first) {
      Index head = 0;
      for (const auto& [number, piece] : group) {
        require_like(piece, like);
        require_batch(piece);
        const Index to = static_cast<Index>(made_.layer_numbers.size()) * made_.heads + head++;
        copy(piece, 0, 0, piece.rows, piece.cols, to, 0);
      }
      made_.layer_numbers.push_back(layer);
    }
  }

  /// Each step is one piece with all layers, or one piece a layer.
  void assemble_steps(const std::vector<std::vector<Piece<T>>>& steps) {
    made_.layout = AttentionLayout::kGenerated;
    const Piece<T>& like = steps.front().front();
    const bool together = steps.front().size() == 1 && made_.layer_numbers.empty();
    const Index layers = together ? like.layers : static_cast<Index>(steps.front().size());
    const auto rows_of = [&](std::size_t s) {
      return rows_there_.empty() ? steps[s].front().rows : rows_there_[s];
    };
    const auto keys_of = [&](std::size_t s) {
      return keys_there_.empty() ? steps[s].front().cols : keys_there_[s];
    };
    Index queries = 0, before = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const Index keys = keys_of(s);
      if (s > 0 && keys != before + rows_of(s)) {
        throw ShapeError("arrays", phrase::keys_at_step(keys, static_cast<Index>(s)),
                         phrase::keys_of_step(before + rows_of(s)));
      }
      before = keys;
      made_.steps.push_back(rows_of(s));
      queries += rows_of(s);
    }
    begin(layers, like.heads, queries, before);
    for (Index l = 0; together && l < layers; ++l) made_.layer_numbers.push_back(l);
    Index row = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (Index l = 0; l < layers; ++l) {
        const Piece<T>& piece = together ? steps[s].front() : steps[s][static_cast<std::size_t>(l)];
        if (piece.heads != like.heads || piece.layers != like.layers || piece.rows < rows_of(s) ||
            piece.cols < keys_of(s)) {
          refuse_shape(*piece.array);
        }
        if (rows_there_.empty() && (piece.rows != rows_of(s) || piece.cols != keys_of(s))) {
          refuse_shape(*piece.array);
        }
        require_batch(piece);
        for (Index h = 0; h < made_.heads; ++h) {
          copy(piece, together ? l : 0, h, rows_of(s), piece.cols, l * made_.heads + h, row);
        }
      }
      row += rows_of(s);
    }
  }

  void begin(Index layers, Index heads, Index queries, Index keys) {
    made_.layers = layers;
    made_.heads = heads;
    made_.queries = queries;
    made_.keys = keys;
    made_.weights.assign(static_cast<std::size_t>(layers * heads), Matrix<T>::Zero(queries, keys));
  }

  void require_batch(const Piece<T>& piece) const {
    if (options_.batch < piece.batch) return;
    throw ValueError("batch", phrase::number(options_.batch), phrase::range(0, piece.batch - 1));
  }

  void require_like(const Piece<T>& piece, const Piece<T>& like) const {
    if (piece.rows != like.rows || piece.cols != like.cols || piece.heads != like.heads) {
      throw ShapeError("arrays",
                       phrase::array_of_axes(piece.array->name, shape_of_axes(piece.array->shape)),
                       phrase::array_of_axes(like.array->name, shape_of_axes(like.array->shape)));
    }
  }

  /// All heads of one layer of a piece.
  void place(const Piece<T>& piece, Index from, Index to, Index row) {
    require_batch(piece);
    for (Index h = 0; h < made_.heads; ++h) {
      copy(piece, from, h, piece.rows, piece.cols, to * made_.heads + h, row);
    }
  }

  void copy(const Piece<T>& piece, Index layer, Index head, Index rows, Index cols, Index to,
            Index row) {
    Matrix<T>& matrix = made_.weights[static_cast<std::size_t>(to)];
    for (Index i = 0; i < rows; ++i) {
      const T* const from = piece.row(layer, options_.batch, head, i);
      const Index there = std::min(length_of(from, cols), made_.keys);
      std::copy(from, from + there, matrix.row(row + i).data());
    }
  }

  void check() {
    made_.causal = made_.keys >= made_.queries;
    for (std::size_t k = 0; k < made_.weights.size(); ++k) {
      const Matrix<T>& matrix = made_.weights[k];
      const Index layer = made_.layer_numbers[k / static_cast<std::size_t>(made_.heads)],
                  head = static_cast<Index>(k) % made_.heads;
      for (Index i = 0; i < matrix.rows(); ++i) {
        double sum = 0;
        bool some = false;
        for (Index j = 0; j < matrix.cols(); ++j) {
          const double weight = static_cast<double>(matrix(i, j));
          if (!(weight >= 0) || !std::isfinite(weight)) {
            throw ValueError("arrays", phrase::weight_in_row(weight, i, layer, head),
                             phrase::finite_weights);
          }
          if (weight == 0) continue;
          some = true;
          sum += weight;
          if (j > i + made_.keys - made_.queries) made_.causal = false;
        }
        if (!some) {
          ++made_.empty_rows;
          continue;
        }
        const double apart = std::abs(sum - 1);
        made_.worst_sum = std::max(made_.worst_sum, apart);
        if (apart <= options_.tolerance || options_.any_sum) continue;
        throw ValueError("arrays", phrase::row_with_sum(i, layer, head, sum),
                         phrase::rows_of_one(options_.tolerance));
      }
    }
  }

  const ExportedAttentionOptions& options_;
  std::vector<const ExportedArray<T>*> arrays_;
  /// Of padded steps: the queries and keys that each has.
  std::vector<Index> rows_there_, keys_there_;
  ExportedAttention<T> made_;
};

}  // namespace

template <typename T>
const Matrix<T>& ExportedAttention<T>::at(Index layer, Index head) const {
  if (layer < 0 || layer >= layers) {
    throw ValueError("layer", phrase::number(layer), phrase::range(0, layers - 1));
  }
  if (head < 0 || head >= heads) {
    throw ValueError("head", phrase::number(head), phrase::range(0, heads - 1));
  }
  return weights[static_cast<std::size_t>(layer * heads + head)];
}

template <typename T>
ExportedAttention<T> read_exported_attention(
    const std::vector<ExportedArray<std::type_identity_t<T>>>& arrays,
    const std::vector<std::string>& tokens, const std::vector<std::string>& query_tokens,
    const ExportedAttentionOptions& options) {
  ExportedAttention<T> made = Reader<T>(arrays, options).read();
  const auto require_tokens = [](const char* name, std::size_t seen, Index wanted) {
    if (static_cast<Index>(seen) == wanted) return;
    throw ShapeError(name, phrase::tokens_seen(seen), phrase::count_of_tokens(wanted));
  };
  made.tokens = tokens;
  const bool generated = made.layout == AttentionLayout::kGenerated;
  if (generated && static_cast<Index>(tokens.size()) == made.keys + 1) made.tokens.pop_back();
  if (!tokens.empty()) require_tokens("tokens", made.tokens.size(), made.keys);
  made.query_tokens = query_tokens;
  if (!query_tokens.empty()) {
    require_tokens("query_tokens", query_tokens.size(), made.queries);
  } else if (!tokens.empty() && (made.queries == made.keys || (generated && made.causal))) {
    // The queries are the last of the tokens.
    made.query_tokens.assign(made.tokens.end() - made.queries, made.tokens.end());
  }
  return made;
}

#define ATTN_INSTANTIATE(T)                                                  \
  template struct ExportedAttention<T>;                                      \
  template ExportedAttention<T> read_exported_attention<T>(                  \
      const std::vector<ExportedArray<T>>&, const std::vector<std::string>&, \
      const std::vector<std::string>&, const ExportedAttentionOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
