#pragma once
// A long convolution by spectra
//
// Hyena’s filters are as long as the sequence. In one channel the output is the causal convolution
//
// y_t=Σ_(s=0)^th_(t-s) x_s
//
// Written as it stands that is n(n+1)/2 products. A Fourier transform turns a convolution into a
// product of spectra, entry by entry, and a fast one takes about n log n steps: transform both,
// multiply, transform back.
//
// The product of spectra convolves in a circle: what runs over the end comes in again at the front,
// and early tokens would see later ones. So put zeros behind both sequences first, up to a power of
// two of at least 2n.
//
// No transform is given: write one. With a_k=e^(-2πik/N) the spectrum of N numbers is E_k+a_kO_k
// for k<N/2 and E_k-a_kO_k for k+N/2, where E and O are the spectra of the entries at even and at
// odd places. Back, the exponent has the other sign and the result is divided by N. Keep real and
// imaginary parts in arrays of their own where there are no complex numbers.
//
// x: n numbers, the inputs of one channel
// h: n numbers, its filter, the newest token’s weight first
// Returns output: n numbers, the causal convolution
//
// Try it: npm run exercise -- fft-long-convolution

#include "exercise.hpp"

inline Array fft_long_convolution(const Array& x, const Array& h) {
  throw NotWritten("fft_long_convolution");
}
