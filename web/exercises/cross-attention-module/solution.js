function crossAttentionModule(X, Y, WQ, WK, WV, WO, numHeads, keep) {
  const [Q, K, V] = [X.times(WQ), Y.times(WK), Y.times(WV)];
  const width = Q.cols / numHeads;
  const pictures = [];
  let merged = null;
  for (let h = 0; h < numHeads; h++) {
    const part = (Z) => Z.slice(0, Z.rows, h * width, (h + 1) * width);
    const scores = part(Q).times(part(K).transpose()).div(Math.sqrt(width));
    // The m entries of keep belong to the keys, the columns: all heads and queries share them.
    const kept = scores.map((score, _, j) => (keep.get(0, j) === 0 ? -Infinity : score));
    const exps = kept.minus(kept.maxRows()).exp();
    const weights = exps.div(exps.sumRows());
    const output = weights.times(part(V));
    pictures.push(weights);
    merged = merged ? merged.concatCols(output) : output;
  }
  return [merged.times(WO), pictures];
}
