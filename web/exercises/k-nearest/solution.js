function knnAttention(Q, K, V, k) {
  const scores = Q.times(K.transpose()).div(Math.sqrt(Q.cols));
  // The smallest of the k largest scores of each query: what is below it does not count.
  const limits = [];
  for (let i = 0; i < scores.rows; i++) {
    const falling = Array.from(scores.row(i).data).sort((a, b) => b - a);
    limits.push(falling[k - 1]);
  }
  const kept = scores.map((score, i) => (score >= limits[i] ? score : -Infinity));
  const exps = kept.minus(kept.maxRows()).exp();
  const weights = exps.div(exps.sumRows());
  return [weights.times(V), weights];
}
