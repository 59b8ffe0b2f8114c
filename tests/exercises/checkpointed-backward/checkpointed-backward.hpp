#pragma once
// Time against memory
//
// A backward pass needs what every layer computed, so training keeps it all: the memory grows with
// the number of layers L. Checkpointing keeps only what each segment of segment layers began with,
// and runs a segment again when its backward pass is due. With segments of √L layers the memory
// grows with √L, for one more forward pass.
//
// Take a stack in which every layer has the same weights: x_(l+1) = tanh(x_l W), with x_0 = x and L
// = layers. Given d_out, the gradient at x_L, return the gradients at x_0 and at W. A layer passes
// on h = g circ(1 - x_(l+1)²): to W goes x_lᵀh, summed over all layers, and to x_l goes h Wᵀ.
//
// Go forward and keep the inputs of the segments alone. Then take the segments from the last to the
// first: run it again from its input and keep the output of each of its layers, go back through it,
// and give up both. The last segment may be shorter.
//
// Return also peak, the largest number of matrices x_l that are kept at once: the inputs of the
// segments that are left, this one included, and the outputs of the layers of the one that is run
// again. No list may hold more than grows with √L.
//
// x: n×d, the input of the first layer
// W: d×d, the weights of every layer
// d_out: n×d, the gradient at the output
// layers: how many layers there are, at least 1
// segment: layers of a segment, at least 1
// Returns d_x: n×d, the gradient at the input; d_W: d×d, the gradient at the weights; peak: most
//   matrices that are kept at once
//
// Try it: npm run exercise -- checkpointed-backward

#include "exercise.hpp"

inline std::tuple<Array, Array, std::int64_t> checkpointed_backward(const Array& x, const Array& W,
                                                                    const Array& d_out,
                                                                    std::int64_t layers,
                                                                    std::int64_t segment) {
  throw NotWritten("checkpointed_backward");
}
