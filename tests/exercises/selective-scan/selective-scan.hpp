#pragma once
// Mamba’s selective scan
//
// In Mamba each of the d channels has a state of N numbers: row c of H. A token brings a step
// Δ_(t,c) for every channel, and B_t and C_t for all channels. It fades the state, writes its
// input, and reads:
//
// H_t[c,s]=e^(Δ_(t,c)A[c,s]) H_(t-1)[c,s]+Δ_(t,c)B_t[s] x_t[c]
//
// y_t[c]=Σ_s C_t[s] H_t[c,s]
//
// A step near 0 skips the token: nothing fades and nothing is written. A large one forgets what was
// there.
//
// Begin with zeros and return the outputs of all tokens, one in each row. (Mamba’s skip Dx_t, its
// convolution and its projections are left out.)
//
// X: n×d, inputs
// Delta: n×d, steps, above 0
// A: d×N, rates, below 0
// B: n×N, how the tokens write
// C: n×N, how the tokens read
// Returns output: n×d, what each token reads
//
// Try it: npm run exercise -- selective-scan

#include "exercise.hpp"

inline Array selective_scan(const Array& X, const Array& Delta, const Array& A, const Array& B,
                            const Array& C) {
  throw NotWritten("selective_scan");
}
