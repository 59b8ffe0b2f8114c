#pragma once
// Attention backwards, by hand
//
// Forwards, S=QKᵀ/√d_k, P=softmax(S) row by row, and O=PV. Training knows how the loss changes with
// the output, dO (n×d_v), and wants to know how it changes with the three inputs. Write
// attention_backward(Q, K, V, dO), which returns dQ, dK and dV.
//
// Walk the computation backwards. Through the last product, a product of matrices:
//
// dV = PᵀdO, dP = dO Vᵀ
//
// Through the softmax. Each row of P sums to 1, so a weight can only grow at the cost of the
// others; that is what the subtraction says:
//
// dS_ij = P_ij(dP_ij - Σ_l P_il dP_il)
//
// And through the scores, a product again, with the factor 1/√d_k: it is for you to find dQ and dK.
// Check the shapes: a gradient has the shape of what it belongs to. Scores may be as large as 1000.
//
// Q: n×d_k, queries
// K: m×d_k, keys
// V: m×d_v, values
// dO: n×d_v, the gradient of the output
// Returns dQ: n×d_k, the gradient of the queries; dK: m×d_k, the gradient of the keys; dV: m×d_v,
//   the gradient of the values
//
// Try it: npm run exercise -- attention-backward

#include "exercise.hpp"

inline std::tuple<Array, Array, Array> attention_backward(const Array& Q, const Array& K,
                                                          const Array& V, const Array& dO) {
  throw NotWritten("attention_backward");
}
