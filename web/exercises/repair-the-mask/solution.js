function causalAttention(Q, K, V) {
  const n = Q.rows;
  // 0 where a query may look, -Infinity where it may not.
  const mask = Matrix.zeros(n, n).map((_, i, j) => (j > i ? -Infinity : 0));
  let scores = Q.times(K.transpose()).div(Math.sqrt(K.cols));
  // Such a mask is added: score + 0 stays, score - Infinity is out.
  scores = scores.plus(mask);
  const exps = scores.minus(scores.maxRows()).exp();
  const weights = exps.div(exps.sumRows());
  return [weights.times(V), weights];
}
