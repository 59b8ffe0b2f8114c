// The counted costs of complexity.hpp: runs mechanisms under a meter.

#include <string>

#include "attn/base/errors.hpp"
#include "attn/cost/phrases.hpp"
#include "cost/mechanisms/entry.hpp"

namespace attn {
namespace {

constexpr std::uint64_t kMostMultiplyAdds = std::uint64_t{1} << 36;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

}  // namespace

template <typename T>
Cost counted_cost(std::string_view mechanism, const CostShape& shape, std::uint64_t seed) {
  const Cost wanted = cost_of(mechanism, shape, sizeof(T));
  if (wanted.multiply_adds > kMostMultiplyAdds) {
    throw CapacityError("shape", phrase::multiply_adds(wanted.multiply_adds),
                        phrase::at_most_in_a_run(kMostMultiplyAdds));
  }
  const internal::Whole bytes =
      internal::Whole(wanted.peak_bytes) + wanted.input_bytes + wanted.index_bytes;
  if (bytes.value() > kMostBytes) {
    throw CapacityError("shape", phrase::mebibytes(bytes.value() >> 20),
                        phrase::mebibytes_in_a_run(kMostBytes >> 20));
  }
  const internal::Mechanism<T>& entry = internal::find_mechanism<T>(mechanism);
  const internal::Sizes sizes = internal::resolve(entry, shape);
  internal::Run<T> run(sizes, seed);
  entry.run(run);
  return run.cost;
}

template Cost counted_cost<float>(std::string_view, const CostShape&, std::uint64_t);
template Cost counted_cost<double>(std::string_view, const CostShape&, std::uint64_t);

}  // namespace attn
