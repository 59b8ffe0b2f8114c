/** Every call of `CoreClient`: client and worker are both made from this list. */
export const operationNames = [
  'featureMaps',
  'applyFeatureMap',
  'gaussianQkv',
  'textQkv',
  'compareToSoftmax',
  'explainCell',
  'attention',
  'standardAttentionOrder',
  'linearAttention',
  'linearAttentionBackward',
  'linearAttentionOrder',
  'computeImplicitAttention',
  'verifyAssociativity',
] as const;

export type OperationName = (typeof operationNames)[number];
