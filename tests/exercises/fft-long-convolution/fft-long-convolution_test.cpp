// The cases come from web/exercises/fft-long-convolution/exercise.ts.
#include "fft-long-convolution.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("fft-long-convolution") { exercise::check("fft-long-convolution", fft_long_convolution); }
