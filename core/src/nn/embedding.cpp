#include "attn/nn/embedding.hpp"

#include "attn/base/errors.hpp"
#include "attn/nn/phrases.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

void require_tokens(std::span<const std::int32_t> tokens, Index vocabulary, Index width) {
  if (vocabulary < 1 || width < 1) {
    throw ShapeError("table", phrase::shape(vocabulary, width), phrase::row_and_column);
  }
  if (tokens.empty()) throw ShapeError("tokens", phrase::empty, phrase::at_least_one_token);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] < 0 || tokens[i] >= vocabulary) {
      throw ValueError("tokens", phrase::at_entry(tokens[i], i), phrase::range(0, vocabulary - 1));
    }
  }
}

}  // namespace

template <typename T>
Matrix<T> embed(std::span<const std::int32_t> tokens, In<T> table) {
  require_tokens(tokens, table.rows(), table.cols());
  Matrix<T> rows(static_cast<Index>(tokens.size()), table.cols());
  for (Index i = 0; i < rows.rows(); ++i) {
    rows.row(i) = table.row(tokens[static_cast<std::size_t>(i)]);
  }
  internal::note<T>({.read = internal::wide(rows.size()), .written = internal::wide(rows.size())});
  return rows;
}

template <typename T>
void embed_backward(std::span<const std::int32_t> tokens, In<T> dO,
                    Eigen::Ref<Matrix<std::type_identity_t<T>>> d_table) {
  require_tokens(tokens, d_table.rows(), d_table.cols());
  require_shape<T>("dO", dO, static_cast<Index>(tokens.size()), d_table.cols(),
                   phrase::shape_of_output);
  for (Index i = 0; i < dO.rows(); ++i) {
    d_table.row(tokens[static_cast<std::size_t>(i)]) += dO.row(i);
  }
  internal::note<T>({.multiply_adds = internal::wide(dO.size()),
                     .read = 2 * internal::wide(dO.size()),
                     .written = internal::wide(dO.size())});
}

#define ATTN_INSTANTIATE(T)                                          \
  template Matrix<T> embed<T>(std::span<const std::int32_t>, In<T>); \
  template void embed_backward<T>(std::span<const std::int32_t>, In<T>, Eigen::Ref<Matrix<T>>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
