function flashAttention(Q, K, V, queryTile, keyTile, causal = true) {
  const [n, m] = [Q.rows, K.rows];
  const output = Matrix.zeros(n, V.cols);
  const logsumexp = Matrix.zeros(1, n);
  let tiles = 0;
  for (let q0 = 0; q0 < n; q0 += queryTile) {
    const q1 = Math.min(q0 + queryTile, n);
    let runningMax = Matrix.full(q1 - q0, 1, -Infinity);
    let runningSum = Matrix.zeros(q1 - q0, 1);
    let total = Matrix.zeros(q1 - q0, V.cols);
    for (let k0 = 0; k0 < m; k0 += keyTile) {
      const k1 = Math.min(k0 + keyTile, m);
      // This tile, and all to its right, lie above the diagonal.
      if (causal && k0 > q1 - 1) break;
      tiles++;
      let scores = Q.slice(q0, q1).times(K.slice(k0, k1).transpose()).div(Math.sqrt(Q.cols));
      if (causal) scores = scores.map((score, i, j) => (k0 + j > q0 + i ? -Infinity : score));
      const newMax = runningMax.maximum(scores.maxRows());
      const weights = scores.minus(newMax).exp();
      // What was summed so far was measured from the old maximum: move it to the new one.
      const correction = runningMax.minus(newMax).exp();
      runningSum = runningSum.mul(correction).plus(weights.sumRows());
      total = total.mul(correction).plus(weights.times(V.slice(k0, k1)));
      runningMax = newMax;
    }
    const rows = total.div(runningSum);
    const logs = runningMax.plus(runningSum.map(Math.log));
    for (let i = q0; i < q1; i++) {
      for (let c = 0; c < V.cols; c++) output.set(i, c, rows.get(i - q0, c));
      logsumexp.set(0, i, logs.get(i - q0, 0));
    }
  }
  return [output, logsumexp, tiles];
}
