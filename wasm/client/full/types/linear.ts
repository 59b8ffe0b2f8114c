/** Linear attention, and the order of the products. */
import type {
  AssociativityReport,
  CallOptions,
  CompareOptions,
  FeatureMapChoice,
  LinearAttentionOptions,
  LinearAttentionResult,
  Matrix,
  Qkv,
} from '../../types';

export interface LinearCalls {
  /** Long ones in steps: reports progress and can be stopped. */
  linearAttention(
    input: LinearAttentionOptions,
    options?: CallOptions,
  ): Promise<LinearAttentionResult>;
  /** Gradients of sum(output ∘ dO) with respect to Q, K and V. */
  linearAttentionBackward(
    input: Omit<LinearAttentionOptions, 'state'> & { dO: Matrix },
    options?: CallOptions,
  ): Promise<Qkv>;
  computeImplicitAttention(
    input: Omit<CompareOptions, 'scale' | 'v'>,
    options?: CallOptions,
  ): Promise<Matrix>;
  /** (QKᵀ)V without softmax, and QKᵀ. */
  standardAttentionOrder(
    input: Qkv,
    options?: CallOptions,
  ): Promise<{ readonly output: Matrix; readonly weights: Matrix }>;
  /** φ(Q)(φ(K)ᵀV) without normaliser: the n×n matrix never exists. */
  linearAttentionOrder(
    input: Qkv & { featureMap: FeatureMapChoice },
    options?: CallOptions,
  ): Promise<Matrix>;
  verifyAssociativity(
    input: Qkv & { rtol?: number; atol?: number },
    options?: CallOptions,
  ): Promise<AssociativityReport>;
}
