// Calls of attn/mixers, and of what memories give back that were never trained.

#include "../handles.hpp"
#include "attn/mixers/matrix_state.hpp"
#include "attn/mixers/mixer_probe.hpp"
#include "attn/mixers/pair_memory.hpp"
#include "attn/mixers/wkv.hpp"
#include "attn/models/recall_capacity.hpp"
#include "shared.hpp"

namespace attn::wasm {

// --- Pairs written into a state ------------------------------------------------------------------

ATTN_OPTIONS(PairStreamOptions, pairs, width, noise, repeats, seed)
ATTN_STRUCT(PairStream<float>, keys, values, queries, first)
ATTN_OPTIONS(PairMemoryOptions, decay)
ATTN_STRUCT(PairMemoryTrace<float>, states, kept, written, state_rows, numbers, answers, wanted,
            found, cosine, margin, right)
ATTN_CONSTANT(pair_memories,
              std::vector<std::string_view>(kPairMemories.begin(), kPairMemories.end()))
ATTN_CALL(start, pair_stream, (flat(options)), attn::pair_stream<float>)
ATTN_CALL(start, pair_memory_trace, (memory, flat(stream), flat(options)),
          attn::pair_memory_trace<float>)

// --- States of one matrix, and RWKV-4's average --------------------------------------------------

ATTN_ENUM(StateWrite, kAdd, kDelta)
ATTN_OPTIONS(MatrixStateOptions, write, scale, l2_normalize, chunk)
ATTN_OPTIONS(MatrixStateGates<float>, log_decay, beta)
ATTN_STRUCT(MatrixStateResult<float>, output, state)
/// @param initial d_k×d_v; left out: zeros.
ATTN_CALL(full, matrix_state, (Q, K, V, flat(gates), flat(options), initial),
          [](In<float> Q, In<float> K, In<float> V, const MatrixStateGates<float>& gates,
             const MatrixStateOptions& how, const std::optional<Matrix<float>>& initial) {
            return attn::matrix_state<float>(Q, K, V, gates, how, initial ? &*initial : nullptr);
          })
ATTN_CALL(full, matrix_state_weights, (Q, K, flat(gates), flat(options)),
          [](In<float> Q, In<float> K, const MatrixStateGates<float>& gates,
             const MatrixStateOptions& how) {
            return attn::matrix_state_weights<float>(Q, K, gates, how);
          })
/// The output of RWKV-4's mixer, n×d, from no token before.
ATTN_CALL(full, wkv, (K, V, time_decay, u),
          [](In<float> K, In<float> V, InVector<float> time_decay, InVector<float> u) {
            return attn::wkv<float>(K, V, time_decay, u).output;
          })

ATTN_STRUCT(MatrixStateGradients<float>, dQ, dK, dV, if_any(d_log_decay), if_any(d_beta))
/// From zeros, and with no gradient at the last state.
ATTN_CALL(full, matrix_state_backward, (Q, K, V, dO, flat(gates), flat(options)),
          [](In<float> Q, In<float> K, In<float> V, In<float> dO,
             const MatrixStateGates<float>& gates, const MatrixStateOptions& how) {
            return attn::matrix_state_backward<float>(Q, K, V, dO, gates, how);
          })
ATTN_STRUCT(WkvGradients<float>, dK, dV, d_time_decay, du)
ATTN_CALL(full, wkv_backward, (K, V, time_decay, u, dO), attn::wkv_backward<float>)

// --- The registry --------------------------------------------------------------------------------

ATTN_STRUCT(SequenceMixerParameter, name, label, description, default_value, min, max, integer)
ATTN_STRUCT(SequenceMixerPaper, title, url, where)
ATTN_STRUCT(SequenceMixerInfo, id, label, tex, state_tex, parallel, recurrent, chunked,
            constant_state, forgets, overwrites, has_matrix, paper, parameters)
ATTN_CALL(full, sequence_mixers, (), attn::sequence_mixers)

ATTN_STRUCT(MixerSizes, parameters, state_numbers, multiply_adds, matrices)
ATTN_CALL(full, mixer_sizes, (mixer, n), attn::mixer_sizes)

// --- What a mixer with random parameters does ----------------------------------------------------

ATTN_CALL(full, mixer_tokens, (ids, d, seed), attn::mixer_tokens<float>)
ATTN_STRUCT(MixerForms<float>, parallel, recurrent, chunked, recurrent_difference,
            chunked_difference, largest)
ATTN_CALL(full, compare_mixer_forms, (mixer, X, seed, chunk), attn::compare_mixer_forms<float>)
ATTN_CALL(full, mixer_matrix, (mixer, X, seed, which), attn::mixer_matrix<float>)
ATTN_CALL(full, nearby_share, (A, distance), attn::nearby_share<float>)

ATTN_STRUCT(FilterProbe, change, filter_change, diagonal_spread, filter_fixed)
/// @param X n×d_model
ATTN_CALL(full, probe_filter, (mixer, X, other, seed, which),
          [](const SequenceMixerOptions& mixer, In<float> X, In<float> other, std::uint64_t seed,
             Index which) {
            return attn::probe_filter(mixer, X.cast<double>(), other.cast<double>(), seed, which);
          })

// --- A stream without end ------------------------------------------------------------------------

using Stream = MixerStream<float>;
ATTN_KEPT(Stream, "MixerStream")
ATTN_STRUCT(MixerStreamReport, position, state_numbers, last_norm)
ATTN_CALL(full, mixer_stream_make, (handle, mixer, seed),
          [](New<Stream> handle, const SequenceMixerOptions& mixer, std::uint64_t seed) {
            return handle.keep(Stream(mixer, seed)).report();
          })
ATTN_CALL(full, mixer_stream_advance, (handle, tokens),
          [](Kept<Stream> stream, Index tokens) { return stream->advance(tokens); })
/// Goes on by `tokens` tokens of which no output is wanted, so that a long cache can be looked at
/// without every step on the way to it.
ATTN_CALL(full, mixer_stream_read, (handle, tokens),
          [](Kept<Stream> stream, Index tokens) { return stream->read(tokens); })
ATTN_CALL(full, mixer_stream_delete, (handle), [](Gone<Stream>) { return Nothing(); })

// --- Recall without training ---------------------------------------------------------------------

ATTN_OPTIONS(RecallCapacityOptions, needed(memory), needed(pairs), d_k, d_v, decay, draws, seed)
ATTN_STRUCT(RecallCapacityResult, pairs, mean, least, largest, numbers, half_lost)
ATTN_STEPS(full, recall_capacity, 1, (flat(options)),
           [](const RecallCapacityOptions& how) { return RecallCapacity(how); })
ATTN_CALL(full, sum_recall_theory, (pairs, d_k, d_v), attn::sum_recall_theory)

}  // namespace attn::wasm
