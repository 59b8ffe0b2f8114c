function multiHeadAttention(X, WQ, WK, WV, WO, numHeads, causal) {
  const dHead = X.cols / numHeads;
  const [Q, K, V] = [X.times(WQ), X.times(WK), X.times(WV)];
  const pictures = [];
  let merged = null;
  for (let h = 0; h < numHeads; h++) {
    // The columns of a head lie side by side.
    const part = (Y) => Y.slice(0, Y.rows, h * dHead, (h + 1) * dHead);
    let scores = part(Q).times(part(K).transpose()).div(Math.sqrt(dHead));
    if (causal) scores = scores.map((score, i, j) => (j <= i ? score : -Infinity));
    const exps = scores.minus(scores.maxRows()).exp();
    const weights = exps.div(exps.sumRows());
    const output = weights.times(part(V));
    pictures.push(weights);
    merged = merged ? merged.concatCols(output) : output;
  }
  return [merged.times(WO), pictures];
}
