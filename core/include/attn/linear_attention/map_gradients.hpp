#pragma once
// Whether a program holds the gradients of the feature maps.

namespace attn {

/// True, unless a program defines it as false. The linker then leaves the gradients of all maps
/// out, which are a tenth of the small module of the page, and `FeatureMap::backward` throws
/// std::logic_error.
extern const bool kMapGradients;

}  // namespace attn
