#pragma once
// From tokens to vectors.

#include <cstdint>
#include <span>

#include "attn/base/tensor.hpp"

namespace attn {

/// Row i is the table's row of token i. Table vocabulary×d. O(n·d). A tied model uses the same
/// table as the weights of its last linear layer.
/// @throws ShapeError for a table without entries or no tokens, ValueError for a token that is no
/// row of the table.
template <typename T = float>
Matrix<T> embed(std::span<const std::int32_t> tokens, In<T> table);

/// Adds the gradient of Σ rows ∘ dO by the table to `d_table`: each row the sum over the places of
/// its token, from the first to the last. dO n×d. O(n·d).
/// @throws as `embed`, and ShapeError for shapes that do not fit.
template <typename T = float>
void embed_backward(std::span<const std::int32_t> tokens, In<T> dO,
                    Eigen::Ref<Matrix<std::type_identity_t<T>>> d_table);

}  // namespace attn
