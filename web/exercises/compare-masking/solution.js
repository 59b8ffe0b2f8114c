function compareMasking(Q, K) {
  const n = Q.rows;
  const scores = Q.times(K.transpose()).div(Math.sqrt(K.cols));
  const ones = Matrix.full(n, n, 1);
  const past = ones.map((_, i, j) => (j < i ? 1 : 0));
  const itself = Matrix.identity(n);
  const future = past.transpose();
  const rows = [];
  for (const seen of [past.plus(itself), ones, itself.plus(future)]) {
    const kept = scores.map((score, i, j) => (seen.get(i, j) === 0 ? -Infinity : score));
    const exps = kept.minus(kept.maxRows()).exp();
    const weights = exps.div(exps.sumRows());
    rows.push([past, itself, future].map((part) => weights.mul(part).sum() / n));
  }
  return Matrix.from(rows);
}
