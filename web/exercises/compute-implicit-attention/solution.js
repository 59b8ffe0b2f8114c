function computeImplicitAttention(Q, K, featureMap) {
  const scores = featureMap(Q).times(featureMap(K).transpose());
  return scores.div(scores.sumRows().plus(1e-6));
}
