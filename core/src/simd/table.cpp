#include "kernel_set.hpp"

#define ATTN_TEXT_OF(x) #x
#define ATTN_TEXT(x) ATTN_TEXT_OF(x)

namespace attn::simd::ATTN_SIMD_SET {

extern const Kernels kKernels;
const Kernels kKernels = {ATTN_TEXT(ATTN_SIMD_SET),
                          kLanes,
                          gemm,
                          gemm_floats,
                          attention,
                          attention_floats,
                          attention_backward,
                          attention_backward_floats,
                          gathered_attention,
                          softmax_rows,
                          features,
                          linear_attention,
                          linear_attention_floats,
                          exp_rows,
                          pair_sums,
                          largest_magnitude,
                          exp_all,
                          exp2_all,
                          peak};

}  // namespace attn::simd::ATTN_SIMD_SET
