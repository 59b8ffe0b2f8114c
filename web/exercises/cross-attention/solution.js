function crossAttention(X, Y, WQ, WK, WV, keep) {
  const Q = X.times(WQ);
  const K = Y.times(WK);
  const V = Y.times(WV);
  const scores = Q.times(K.transpose()).div(Math.sqrt(K.cols));
  // The m entries of keep belong to the columns.
  const kept = scores.map((score, _, j) => (keep.get(0, j) === 0 ? -Infinity : score));
  const exps = kept.minus(kept.maxRows()).exp();
  const weights = exps.div(exps.sumRows());
  return [weights.times(V), weights];
}
