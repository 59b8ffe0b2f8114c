#pragma once

#include <cmath>

#include "exercise.hpp"

/// The spectrum of re + i·im, as its real and its imaginary parts.
inline std::tuple<Array, Array> fft(const Array& re, const Array& im, double sign) {
  const Index size = re.size(), half = size / 2;
  if (size == 1) return {re, im};
  const auto [even_re, even_im] = fft(re.slice(0, 0, size, 2), im.slice(0, 0, size, 2), sign);
  const auto [odd_re, odd_im] = fft(re.slice(0, 1, size, 2), im.slice(0, 1, size, 2), sign);
  const Array angle = sign * 2 * std::acos(-1.0) / static_cast<double>(size) * arange(half);
  const Array c = cos(angle), s = sin(angle);
  const Array turned_re = c * odd_re - s * odd_im;
  const Array turned_im = c * odd_im + s * odd_re;
  return {concatenate({even_re + turned_re, even_re - turned_re}),
          concatenate({even_im + turned_im, even_im - turned_im})};
}

inline Array fft_long_convolution(const Array& x, const Array& h) {
  const Index n = x.size();
  Index size = 1;
  while (size < 2 * n) size *= 2;
  // Zeros behind both, so that nothing comes around from the end.
  const Array behind = zeros({size - n}), zero = zeros({size});
  const auto [x_re, x_im] = fft(concatenate({x, behind}), zero, -1);
  const auto [h_re, h_im] = fft(concatenate({h, behind}), zero, -1);
  const auto [back, rest] = fft(x_re * h_re - x_im * h_im, x_re * h_im + x_im * h_re, 1);
  return back.slice(0, 0, n) / static_cast<double>(size);
}
