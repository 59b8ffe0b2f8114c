function kvCacheStep(q, k, v, KCache, VCache) {
  // First into the cache, then attend: a token sees itself too.
  const keys = KCache.concatRows(k);
  const values = VCache.concatRows(v);
  const scores = q.times(keys.transpose()).div(Math.sqrt(q.cols));
  const weights = scores.minus(scores.max()).exp();
  return [weights.div(weights.sum()).times(values), keys, values];
}
