function multiQueryAttention(Q, K, V) {
  // Each head has queries of its own; all read the same keys and values.
  return Q.map((queries) => {
    const scores = queries.times(K.transpose()).div(Math.sqrt(K.cols));
    const weights = scores.minus(scores.maxRows()).exp();
    return weights.div(weights.sumRows()).times(V);
  });
}
