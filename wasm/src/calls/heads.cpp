// Calls of attn/heads: what single heads do, beside what they would do by chance.

#include "attn/heads/attention_rollout.hpp"
#include "attn/heads/head_circuits.hpp"
#include "attn/heads/head_distance.hpp"
#include "attn/heads/head_importance.hpp"
#include "attn/heads/head_scores.hpp"
#include "shared.hpp"

namespace attn::wasm {

// --- Scores and names ----------------------------------------------------------------------------

ATTN_STRUCT(HeadScores, previous_token, current_token, first_token, duplicate_token, induction,
            match_mass, entropy, mean_distance, confidence)
ATTN_STRUCT(MatchedScore, score, elsewhere, rows)
ATTN_STRUCT(MatchedScores, previous_token, current_token, first_token, duplicate_token, induction,
            match_mass)
ATTN_STRUCT(TokenScores, duplicate_token, induction, match_mass)
ATTN_STRUCT(ScoredHead, scores, matched, shuffled_mean, shuffled_largest)
ATTN_OPTIONS(HeadScoreOptions, mask, shuffles, seed)
ATTN_STRUCT(HeadScoresResult, heads, uniform, repeats)
ATTN_CALL(full, head_scores, (weights, tokens, flat(options)), attn::head_scores<float>)

ATTN_STRUCT(HeadVariability, variability, largest)
ATTN_CALL(full, head_variability, (texts, first_tokens, otherwise(mask, Mask::causal())),
          attn::head_variability<float>)

ATTN_ENUM(HeadRole, kNone, kPreviousToken, kCurrentToken, kFirstToken, kDuplicateToken, kInduction)
ATTN_STRUCT(HeadText<float>, weights, tokens)
ATTN_STRUCT(HeadEvidence, score, gain)
ATTN_STRUCT(NamedHead, role, candidate, chosen, held_out)
ATTN_OPTIONS(HeadNameOptions, flat(scores), least_gain)
ATTN_CALL(full, name_heads, (choosing, held_out, flat(options)), attn::name_heads<float>)

// --- Distances -----------------------------------------------------------------------------------

ATTN_OPTIONS(HeadDistanceOptions, smoothing, mask)
ATTN_STRUCT(HeadDistances, js, to_uniform, largest, merges, leaf_order)
ATTN_CALL(full, head_distances, (texts, flat(options)), attn::head_distances<float>)

// --- Through several layers ----------------------------------------------------------------------

ATTN_OPTIONS(RolloutOptions, residual, mask)
ATTN_STRUCT(RolloutResult<float>, rollout, uniform)
ATTN_CALL(full, attention_rollout, (layers, flat(options)), attn::attention_rollout<float>)
ATTN_CONSTANT(max_flow_edges, kMaxFlowEdges)
ATTN_STRUCT(FlowResult<float>, flow, flow_rows, uniform_rows)
/// The largest flow from each position after the last layer to each input, through edges whose
/// capacities are the weights with the residual stream (Abnar & Zuidema 2020). At most
/// `maxFlowEdges` layers·n².
/// @param layers The heads' n×n weights of each layer, the first layer first.
ATTN_STEPS(full, attention_flow, 1, (layers, flat(options)),
           [](std::span<const std::vector<Matrix<float>>> layers, const RolloutOptions& options) {
             return AttentionFlow<float>(layers, options);
           })

// --- What a layer is without them ----------------------------------------------------------------

ATTN_STRUCT(LayerImportance, loss, gate_gradient, loss_without_head, flat(scores))
ATTN_CALL(full, head_importance, (heads, Wo, G, otherwise(bo, Vector<float>())),
          attn::head_importance<float>)
ATTN_STRUCT(AblatedHeads<float>, output, zero, mean)
ATTN_CALL(full, ablated_heads, (heads, Wo, otherwise(bo, Vector<float>())),
          attn::ablated_heads<float>)

// --- From weights --------------------------------------------------------------------------------

ATTN_STRUCT(WeightedNorms<float>, value_norm, norm, norm_sum, output)
ATTN_CALL(full, norm_weighted_attention, (weights, X, Wv, Wo, otherwise(bv, Vector<float>())),
          attn::norm_weighted_attention<float>)
ATTN_STRUCT(QkSymmetry, symmetry, norm2, random_mean, random_deviation)
ATTN_CALL(full, qk_symmetry, (Wq, Wk, heads, kv_heads), attn::qk_symmetry<float>)
ATTN_STRUCT(CircuitScore, share, chance, lift, share_elsewhere, lift_elsewhere)
ATTN_CALL(full, copying_scores, (E, Wv, Wo, U, heads, kv_heads), attn::copying_scores<float>)
ATTN_CALL(full, induction_circuit, (E, Wq, Wk, Wv, Wo), attn::induction_circuit<float>)

}  // namespace attn::wasm
