function sparseAttentionGather(Q, K, V, keys) {
  const output = Matrix.zeros(Q.rows, V.cols);
  for (let i = 0; i < Q.rows; i++) {
    // Only these rows of K and V are read; −1 fills the list up and is no key.
    const kept = [];
    for (let at = 0; at < keys.cols; at++) {
      if (keys.get(i, at) >= 0) kept.push(keys.get(i, at));
    }
    if (kept.length === 0) continue;
    const query = Q.row(i);
    const scores = kept.map((j) => query.mul(K.row(j)).sum() / Math.sqrt(Q.cols));
    const largest = Math.max(...scores);
    const exps = scores.map((score) => Math.exp(score - largest));
    let total = Matrix.zeros(1, V.cols);
    kept.forEach((j, at) => {
      total = total.plus(V.row(j).mul(exps[at]));
    });
    const sum = exps.reduce((a, b) => a + b);
    const mean = total.div(sum);
    for (let c = 0; c < V.cols; c++) output.set(i, c, mean.get(0, c));
  }
  return output;
}
