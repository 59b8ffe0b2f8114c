function retentionParallel(Q, K, V, gamma) {
  const scores = Q.times(K.transpose()).div(Math.sqrt(Q.cols));
  const weights = scores.map((score, i, j) => score * (i >= j ? gamma ** (i - j) : 0));
  return weights.times(V);
}
