/** Fewer bits: float16, bfloat16 and int8, emulated, with the error they cause. */
import type { AttentionOptions, AttentionResult, CallOptions, Matrix } from '../../types';

/**
 * `float16`: 11 significant bits, up to 65504. `bfloat16`: 8 significant bits, the range of float32.
 * `float16` unless given.
 */
export interface PrecisionChoice {
  readonly precision?: 'float16' | 'bfloat16';
}

/** One int8 scale for each row (the default) or one for the whole matrix. */
export interface Int8Choice {
  readonly scales?: 'row' | 'matrix';
}

/** x ≈ scale·code */
export interface QuantizedMatrix {
  /** Row-major, −127 … 127. */
  readonly codes: { readonly rows: number; readonly cols: number; readonly data: Int8Array };
  /** rows×1 or 1×1 */
  readonly scales: Matrix;
  readonly dequantized: Matrix;
  /** Of codes and scales. */
  readonly bytes: number;
}

/** Both NaN where an entry is not finite. */
export interface PrecisionError {
  /** max |approximate − reference| */
  readonly maxAbsolute: number;
  /** ‖approximate − reference‖_F / ‖reference‖_F */
  readonly relativeFrobenius: number;
}

/** What the low-precision computation gives; overflow shows as ±∞ or NaN. */
export interface PrecisionResult extends AttentionResult {
  /** Against `attention` of the input as given. */
  readonly outputError: PrecisionError;
  readonly weightsError: PrecisionError;
  /** Output entries that are NaN or infinite. */
  readonly nonFinite: number;
}

export interface PrecisionCalls {
  /** The nearest value of the format, ties to even, and its 16 bits. ±∞ beyond its range. */
  roundNumber(
    input: PrecisionChoice & { readonly x: number },
    options?: CallOptions,
  ): Promise<{ readonly value: number; readonly bits: number }>;
  /** What 16 bits (0 … 65535) stand for. */
  numberFromBits(
    input: PrecisionChoice & { readonly bits: number },
    options?: CallOptions,
  ): Promise<number>;
  /** Every entry rounded. */
  roundMatrix(
    input: PrecisionChoice & { readonly x: Matrix },
    options?: CallOptions,
  ): Promise<Matrix>;
  /** An entry that is not finite is an error of value. */
  quantizeInt8(
    input: Int8Choice & { readonly x: Matrix },
    options?: CallOptions,
  ): Promise<QuantizedMatrix>;
  precisionError(
    input: { readonly reference: Matrix; readonly approximate: Matrix },
    options?: CallOptions,
  ): Promise<PrecisionError>;
  /** q, k, v, bias, weights and output rounded; products and sums in float32. */
  attentionRounded(
    input: AttentionOptions &
      PrecisionChoice & {
        /** Also round the scores before the softmax. Default false. */
        readonly roundScores?: boolean;
      },
    options?: CallOptions,
  ): Promise<PrecisionResult>;
  /** Keys and values as int8, everything else in float32. */
  attentionInt8Kv(
    input: AttentionOptions & Int8Choice,
    options?: CallOptions,
  ): Promise<PrecisionResult>;
}
