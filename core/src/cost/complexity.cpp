#include "attn/cost/complexity.hpp"

#include <algorithm>
#include <cmath>

#include "attn/base/errors.hpp"
#include "attn/cost/phrases.hpp"
#include "base/whole.hpp"
#include "cost/mechanisms/entry.hpp"

namespace attn {
namespace {

using internal::sum_of_quotients;
using internal::triangle;
using internal::Whole;

/// The least n ≤ limit, a multiple of `step`, with b(n) < a(n). Neither function may decrease as n
/// grows.
template <typename A, typename B>
std::optional<std::uint64_t> first_below(A a, B b, std::uint64_t step, std::uint64_t limit) {
  const std::uint64_t last = limit / step;
  for (std::uint64_t at = 1; at <= last;) {
    const auto bound = b(at * step);
    if (bound < a(at * step)) return at * step;
    // b never decreases, so there is no crossing before a exceeds the value that b has here.
    std::uint64_t below = at, above = std::min(at + 1, last);
    while (above < last && !(bound < a(above * step))) {
      const std::uint64_t stride = above - at;
      below = above;
      above = std::min(above + stride, last);
    }
    if (below == last || !(bound < a(above * step))) return std::nullopt;
    while (above - below > 1) {
      const std::uint64_t middle = below + (above - below) / 2;
      (bound < a(middle * step) ? above : below) = middle;
    }
    at = above;
  }
  return std::nullopt;
}

void require_rates(std::string_view argument, const Rates& rates) {
  for (const double rate : {rates.multiply_add, rates.exp, rates.byte, rates.call}) {
    if (rate >= 0 && std::isfinite(rate)) continue;
    throw ValueError(argument, phrase::nanoseconds(rate), phrase::finite_rates);
  }
}

/// `value(cost)` of a mechanism as a function of the number of tokens n.
template <typename Value>
auto over_lengths(std::string_view mechanism, const CostShape& shape, Value value) {
  return [&shape, mechanism, value](std::uint64_t n) {
    CostShape at = shape;
    at.n = n;
    at.m = 0;
    return value(cost_of(mechanism, at));
  };
}

std::uint64_t step_of(std::string_view a, std::string_view b, const CostShape& shape) {
  return internal::find_mechanism<float>(a).block_divides ||
                 internal::find_mechanism<float>(b).block_divides
             ? std::max<std::uint64_t>(shape.block, 1)
             : 1;
}

}  // namespace

std::uint64_t linear_multiply_adds(std::uint64_t n, std::uint64_t m, std::uint64_t D,
                                   std::uint64_t d_v, bool normalized) {
  return ((Whole(n) + m) * D * (Whole(d_v) + (normalized ? 1 : 0))).value();
}

double linear_crossover(std::uint64_t D, std::uint64_t d_k, std::uint64_t d_v) {
  return 2 * static_cast<double>(D) * static_cast<double>(d_v) /
         (static_cast<double>(d_k) + static_cast<double>(d_v));
}

std::uint64_t band_cells(std::uint64_t n, std::uint64_t w) {
  if (n == 0) return 0;
  const Whole reach = std::min(w, n - 1);
  return (n * (2 * reach + 1) - reach * (reach + 1)).value();
}

std::uint64_t taylor_dimension(std::uint64_t d, bool compact) {
  return (compact ? triangle(Whole(d) + 1) : 1 + Whole(d) + Whole(d) * d).value();
}

std::uint64_t state_floats(StateKind kind, const StateShape& shape) {
  const Whole d = shape.d_model;
  switch (kind) {
    case StateKind::kAttention:
      return (2 * d * shape.length).value();
    case StateKind::kSlidingWindow:
      return (2 * d * shape.window).value();
    case StateKind::kLinear:
      return (Whole(shape.heads) * shape.D * (Whole(shape.d_v) + 1)).value();
    case StateKind::kMamba:
      return (2 * d * shape.d_state).value();
    case StateKind::kHyena:
      return (d * shape.length).value();
    case StateKind::kShortConv:
      break;
  }
  return (d * shape.kernel).value();
}

double predicted_nanoseconds(const Cost& cost, const Rates& rates) {
  return static_cast<double>(cost.multiply_adds) * rates.multiply_add +
         static_cast<double>(cost.exps) * rates.exp +
         (static_cast<double>(cost.bytes_read) + static_cast<double>(cost.bytes_written)) *
             rates.byte +
         rates.call;
}

std::optional<std::uint64_t> crossover(std::string_view a, std::string_view b,
                                       const CostShape& shape, std::uint64_t limit) {
  const auto multiply_adds = [](const Cost& cost) { return cost.multiply_adds; };
  return first_below(over_lengths(a, shape, multiply_adds), over_lengths(b, shape, multiply_adds),
                     step_of(a, b, shape), limit);
}

std::optional<std::uint64_t> crossover_time(std::string_view a, const Rates& rates_a,
                                            std::string_view b, const Rates& rates_b,
                                            const CostShape& shape, std::uint64_t limit) {
  require_rates("rates_a", rates_a);
  require_rates("rates_b", rates_b);
  const auto time = [](const Rates& rates) {
    return [&rates](const Cost& cost) { return predicted_nanoseconds(cost, rates); };
  };
  return first_below(over_lengths(a, shape, time(rates_a)), over_lengths(b, shape, time(rates_b)),
                     step_of(a, b, shape), limit);
}

MemoryTable memory_table(std::uint64_t heads, std::uint64_t batch, std::uint64_t window,
                         std::uint64_t scalar_bytes, std::uint64_t copies) {
  const auto require_some = [](std::string_view name, std::uint64_t value) {
    if (value == 0) throw ValueError(name, phrase::number(0), phrase::at_least(1));
  };
  require_some("heads", heads);
  require_some("batch", batch);
  require_some("window", window);
  require_some("scalar_bytes", scalar_bytes);
  require_some("copies", copies);
  MemoryTable table{batch, heads, window, scalar_bytes, copies, {}, {}};
  table.claim_source =
      "day-42-attention-mechanisms.md, Performance Considerations, Memory Usage by Sequence Length";
  const Whole each = Whole(batch) * heads * copies * scalar_bytes;
  const auto true_at = [&](std::uint64_t claim, Whole numbers) {
    return static_cast<double>(claim) / static_cast<double>((numbers * scalar_bytes).value());
  };
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
  std::uint64_t claimed_standard = kGiB, claimed_local = kGiB / 2;
  for (std::uint64_t n = 512; n <= 4096; n *= 2) {
    const Whole keys = std::min(window, n), symmetric = std::min(2 * Whole(window) + 1, Whole(n));
    table.rows.push_back({
        .n = n,
        .standard = (each * n * n).value(),
        .local = (each * n * keys).value(),
        .local_kept = (each * (n * keys - triangle(keys - 1))).value(),
        .symmetric = (each * n * symmetric).value(),
        .symmetric_kept = (each * band_cells(n, window)).value(),
        .claimed_standard = claimed_standard,
        .claimed_local = claimed_local,
        .true_at_standard = true_at(claimed_standard, Whole(n) * n),
        .true_at_local = true_at(claimed_local, n * keys),
    });
    claimed_standard *= 4;
    claimed_local *= 2;
  }
  return table;
}

}  // namespace attn
