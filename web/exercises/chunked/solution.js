function chunkedLinearAttention(Q, K, V, chunkSize) {
  let S = Matrix.zeros(K.cols, V.cols);
  let z = Matrix.zeros(1, K.cols);
  const output = Matrix.zeros(Q.rows, V.cols);
  for (let start = 0; start < Q.rows; start += chunkSize) {
    const end = Math.min(Q.rows, start + chunkSize);
    const [q, k, v] = [Q, K, V].map((whole) => whole.slice(start, end));
    // Inside the chunk as a masked product, everything before it from the state.
    const inside = q.times(k.transpose()).map((x, i, j) => (j <= i ? x : 0));
    const numerator = q.times(S).plus(inside.times(v));
    const denominator = q.times(z.transpose()).plus(inside.sumRows());
    const rows = numerator.div(denominator.plus(1e-6));
    for (let i = 0; i < rows.rows; i++) {
      for (let c = 0; c < V.cols; c++) output.set(start + i, c, rows.get(i, c));
    }
    S = S.plus(k.transpose().times(v));
    z = z.plus(k.sumCols());
  }
  return output;
}
