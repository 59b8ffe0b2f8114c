// Calls of attn/base: inputs, random numbers, the machine, and trials: calls of the core made again
// and again in wasm memory, to be timed from outside.

#include <emscripten/heap.h>

#include <new>
#include <stdexcept>

#include "../handles.hpp"
#include "attn/base/machine.hpp"
#include "attn/base/phrases.hpp"
#include "attn/base/rng.hpp"
#include "attn/cost/trial.hpp"
#include "shared.hpp"

namespace attn::wasm {

// --- Inputs --------------------------------------------------------------------------------------

ATTN_CALL(start, gaussian_qkv, (n, d_k, d_v, seed), attn::gaussian_qkv<float>)

ATTN_STRUCT(TextQkv<float>, base(Qkv<float>), tokens)
#ifdef ATTN_MODULE_START
// `start` has no tables of Unicode. It leaves other texts to `full`: server.ts knows the message.
ATTN_CALL(start, text_qkv, (text, d_k, d_v, seed, max_tokens),
          [](std::string_view text, Index d_k, Index d_v, std::uint64_t seed, Index max_tokens) {
            if (!attn::is_latin_text(text)) throw std::logic_error("full");
            return attn::latin_text_qkv<float>(text, d_k, d_v, seed, max_tokens);
          })
#else
ATTN_CALL(start, text_qkv, (text, d_k, d_v, seed, max_tokens), attn::text_qkv<float>)
#endif

ATTN_ENUM(RowNorms, kGaussian, kFixed)
ATTN_CALL(full, random_projection,
          (m, d, otherwise(orthogonal, false), seed, otherwise(norms, RowNorms::kGaussian)),
          attn::random_projection<float>)

// --- The machine ---------------------------------------------------------------------------------

ATTN_STRUCT(KernelInfo, name, lanes, fused_multiply_add)
ATTN_CALL(full, kernel_info, (), attn::kernel_info)

struct MemoryInfo {
  /// Bytes of wasm memory this core has taken so far.
  std::uint64_t bytes = 0;
  /// The most it can take.
  std::uint64_t limit = 0;
};
ATTN_STRUCT(MemoryInfo, bytes, limit)
/// Wasm memory of this core.
ATTN_CALL(full, memory_info, (), []() -> MemoryInfo {
  return {emscripten_get_heap_size(), emscripten_get_heap_max()};
})

ATTN_STRUCT(PeakRun, multiply_adds, sum)
ATTN_CALL(full, multiply_add_peak, (rounds), attn::multiply_add_peak)

/// Copies a matrix in and nothing else: `callOverhead` measures with it. The rows of `x`.
ATTN_CALL(full, copy_in, (x), [](In<float> x) -> Index { return x.rows(); })

/// A matrix of zeros, copied out: `callOverhead` measures with it.
ATTN_CALL(full, copy_out, (rows, cols), [](Index rows, Index cols) -> Matrix<float> {
  constexpr double kMost = 1 << 26;
  for (const auto& [name, size] : {std::pair{"rows", rows}, std::pair{"cols", cols}}) {
    if (size < 0 || static_cast<double>(rows) * static_cast<double>(cols) > kMost) {
      throw ValueError(name, phrase::number(size), phrase::entries_in_all);
    }
  }
  return Matrix<float>::Zero(rows, cols);
})

// --- Trials --------------------------------------------------------------------------------------

/// One call to be timed, on N(0, 1) inputs.
struct TrialChoice {
  /// One of `timedMechanisms`: linear is linear attention with any map of the registry
  /// (`featureMap`), multiply_add_peak the limit of the machine, the others are as in `mechanisms`.
  std::string mechanism;
  /// Queries and keys. Not for the peak.
  Index n = TrialOptions().n;
  Index d_k = TrialOptions().d_k, d_v = TrialOptions().d_v;
  /// Random features (performer); the map's default unless given.
  std::optional<Index> D;
  /// `linear` only: the map, ELU + 1 unless given.
  std::optional<FeatureMapChoice> feature_map;
  /// `linear` only: token by token, and divided by φ(q)·Σφ(k) + ε.
  bool causal = TrialOptions().causal, normalize = TrialOptions().normalize;
  /// The queries are multiplied by it.
  double factor = TrialOptions().factor;
  std::uint64_t seed = TrialOptions().seed;
};
ATTN_OPTIONS(TrialChoice, needed(mechanism), n, d_k, d_v, D, feature_map, causal, normalize, factor,
             seed)
ATTN_KEPT(Trial, "trial")
ATTN_CONSTANT(timed_mechanisms, timed_mechanisms())

#ifndef ATTN_MODULE_START
namespace {

/// What `work` returns; where memory ends, an error that says at how many tokens.
template <typename Work>
auto in_memory(Index n, Work work) {
  const auto refuse = [n] {
    const std::size_t limit = emscripten_get_heap_max() >> 20;
    throw CapacityError("n", phrase::tokens_seen(n), phrase::fits_in(limit));
  };
  try {
    return work();
  } catch (const std::bad_alloc&) {
    refuse();
  } catch (const std::length_error&) {
    refuse();
  }
  throw std::bad_alloc();
}

}  // namespace
#endif

/// Makes a trial and keeps it. What one call of the peak does, in multiply-adds; 0 for the others.
ATTN_CALL(full, trial_make, (handle, flat(choice)),
          [](New<Trial> handle, const TrialChoice& choice) {
            TrialOptions how{choice.n,    choice.d_k,    choice.d_v,
                             choice.seed, choice.factor, choice.D};
            if (choice.feature_map) how.map = choice.feature_map->at(choice.d_k);
            how.causal = choice.causal;
            how.normalize = choice.normalize;
            return in_memory(choice.n, [&] {
              return handle.keep(attn::make_trial(choice.mechanism, how)).multiply_adds;
            });
          })
/// Calls it so many times. A number of the last result.
ATTN_CALL(full, trial_run, (handle, times), [](Kept<Trial> trial, Index times) -> float {
  return in_memory(trial->n, [&] {
    float last = 0;
    for (; times > 0; --times) last = trial->call();
    return last;
  });
})
ATTN_CALL(full, trial_delete, (handle), [](Gone<Trial>) { return Nothing(); })

// --- Objects -------------------------------------------------------------------------------------

ATTN_STRUCT(AliveObjects, kind, count)
/// The objects that were made and not given back, kind by kind; kinds without any are left out.
ATTN_CALL(full, alive_objects, (), [] {
  std::vector<AliveObjects> all;
  for (AliveObjects (*const count)() : alive_counts()) {
    if (const AliveObjects one = count(); one.count > 0) all.push_back(one);
  }
  return all;
})

}  // namespace attn::wasm
