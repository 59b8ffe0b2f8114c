// Calls of attn/heads: what single heads do, beside what they would do by chance.

#include "../handles.hpp"
#include "attn/heads/attention_rollout.hpp"
#include "attn/heads/exported_attention.hpp"
#include "attn/heads/head_circuits.hpp"
#include "attn/heads/head_distance.hpp"
#include "attn/heads/head_importance.hpp"
#include "attn/heads/head_scores.hpp"
#include "attn/heads/merged_attention.hpp"
#include "attn/heads/relation_scores.hpp"
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

ATTN_STRUCT(RelationText<float>, weights, relation)
ATTN_STRUCT(RelationScore, score, elsewhere, uniform, offset, offset_share, rows)
ATTN_CALL(full, relation_scores, (texts, otherwise(mask, Mask::causal())),
          attn::relation_scores<float>)

// --- Distances -----------------------------------------------------------------------------------

ATTN_OPTIONS(HeadDistanceOptions, smoothing, mask)
ATTN_STRUCT(HeadDistances, js, to_uniform, largest, merges, leaf_order)
ATTN_CALL(full, head_distances, (texts, flat(options)), attn::head_distances<float>)

ATTN_STRUCT(MergedAttention<float>, weights, left_out)
ATTN_CALL(full, merge_attention, (weights, query_groups, key_groups), attn::merge_attention<float>)

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

// --- From files ----------------------------------------------------------------------------------

ATTN_KEPT(ExportedAttention<float>, "ExportedAttention")
ATTN_STRUCT(ExportedArray<float>, name, shape, numbers)
ATTN_ENUM(AttentionLayout, kOneArray, kArrayEachLayer, kArrayEachHead, kGenerated)
ATTN_OPTIONS(ExportedAttentionOptions, name, batch, tolerance, any_sum)

/// What was read, without the weights: `exportedAttentionWeights` gives those of one head.
struct ExportedAttentionInfo {
  Index layers = 0, heads = 0, queries = 0, keys = 0;
  AttentionLayout layout = AttentionLayout::kOneArray;
  /// The layers' numbers in the names of the arrays, or 0, 1, ….
  std::vector<Index> layer_numbers;
  /// Of the keys, and of the queries; empty where there are none.
  std::vector<std::string> tokens, query_tokens;
  /// How many queries each step of generation had; empty for other layouts.
  std::vector<Index> steps;
  /// Whether no query has weight on a key after it.
  bool causal = false;
  /// Rows without any weight: those of padding.
  Index empty_rows = 0;
  /// The largest |sum of a row − 1|, without empty rows.
  double worst_sum = 0;
  /// The names of the arrays that are no weights, or not those that were meant.
  std::vector<std::string> left_out;
};
ATTN_STRUCT(ExportedAttentionInfo, layers, heads, queries, keys, layout, layer_numbers, tokens,
            query_tokens, steps, causal, empty_rows, worst_sum, left_out)

#ifndef ATTN_MODULE_START
namespace {

ExportedAttentionInfo exported_info_of(const ExportedAttention<float>& read) {
  return {read.layers,        read.heads,     read.queries,      read.keys,  read.layout,
          read.layer_numbers, read.tokens,    read.query_tokens, read.steps, read.causal,
          read.empty_rows,    read.worst_sum, read.left_out};
}

}  // namespace
#endif

/// Reads attention weights as models export them, from the arrays of a file or of several, and
/// keeps them.
ATTN_CALL(full, exported_attention_make,
          (handle, arrays, otherwise(tokens, std::vector<std::string>()),
           otherwise(query_tokens, std::vector<std::string>()), flat(options)),
          [](New<ExportedAttention<float>> handle, const std::vector<ExportedArray<float>>& arrays,
             const std::vector<std::string>& tokens, const std::vector<std::string>& query_tokens,
             const ExportedAttentionOptions& options) {
            return exported_info_of(handle.keep(
                attn::read_exported_attention<float>(arrays, tokens, query_tokens, options)));
          })
/// What was read, without the weights.
ATTN_CALL(full, exported_attention_info, (handle),
          [](Kept<ExportedAttention<float>> read) { return exported_info_of(*read); })
/// The weights of one head, queries×keys. Both are counted from 0.
ATTN_CALL(full, exported_attention_weights, (handle, layer, head),
          [](Kept<ExportedAttention<float>> kept, Index layer, Index head) {
            return kept->at(layer, head);
          })
ATTN_CALL(full, exported_attention_delete, (handle),
          [](Gone<ExportedAttention<float>>) { return Nothing(); })

}  // namespace attn::wasm
