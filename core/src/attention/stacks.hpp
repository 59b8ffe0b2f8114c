#pragma once
// What every attention over stacks requires of them.

#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/tensor.hpp"

namespace attn::internal {

template <typename T>
void require_heads_of_q(const char* name, const Stack<T>& x, const Stack<T>& Q) {
  if (x.batch() == Q.batch() && x.heads() == Q.heads()) return;
  throw ShapeError(name, phrase::stack_shape(x.batch(), x.heads(), x.rows(), x.cols()),
                   phrase::stack_as_q(Q.batch(), Q.heads()));
}

/// At least one batch entry and head, and as many of K and V. Rows and columns are left to the
/// attention of each head.
template <typename T>
void require_stacks(const Stack<T>& Q, const Stack<T>& K, const Stack<T>& V) {
  if (Q.count() == 0) {
    throw ShapeError("Q", phrase::stack_shape(Q.batch(), Q.heads(), Q.rows(), Q.cols()),
                     phrase::batch_and_head);
  }
  require_heads_of_q("K", K, Q);
  require_heads_of_q("V", V, Q);
}

}  // namespace attn::internal
