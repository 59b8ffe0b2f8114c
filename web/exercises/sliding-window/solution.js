function slidingWindowAttention(Q, K, V, window) {
  const output = Matrix.zeros(Q.rows, V.cols);
  for (let i = 0; i < Q.rows; i++) {
    // A slice per token: what lies outside the window is never touched.
    const first = Math.max(0, i - window + 1);
    const keys = K.slice(first, i + 1);
    const scores = Q.row(i).times(keys.transpose()).div(Math.sqrt(Q.cols));
    const weights = scores.minus(scores.max()).exp();
    const mean = weights.div(weights.sum()).times(V.slice(first, i + 1));
    for (let c = 0; c < V.cols; c++) output.set(i, c, mean.get(0, c));
  }
  return output;
}
