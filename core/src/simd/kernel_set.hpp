#pragma once
// Declares the functions of kernels.hpp for one set; table.cpp lists them.

#include "kernels.hpp"
#include "vec.hpp"

namespace attn::simd::ATTN_SIMD_SET {

void gemm(const Gemm& g, float* work);
Size gemm_floats(const Gemm& g);
void attention(const Attention& x, float* work);
Size attention_floats(const Attention& x);
void attention_backward(const AttentionBackward& x, float* work);
Size attention_backward_floats(const AttentionBackward& x);
void gathered_attention(const GatheredAttention& x);
void softmax_rows(const SoftmaxRows& x);
void features(const Features& x);
void linear_attention(const LinearAttention& x, float* work);
Size linear_attention_floats(const LinearAttention& x);
void exp_rows(const ExpRows& x);
void pair_sums(const PairSums& p);
float largest_magnitude(const float* x, Size rows, Size cols, Size x_row);
void exp_all(const float* x, float* out, Size count);
void exp2_all(const float* x, float* out, Size count);
float peak(Size rounds, const float* seeds);

}  // namespace attn::simd::ATTN_SIMD_SET
