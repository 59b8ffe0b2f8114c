function retentionRecurrent(Q, K, V, gamma) {
  let S = Matrix.zeros(K.cols, V.cols);
  const output = Matrix.zeros(Q.rows, V.cols);
  for (let t = 0; t < Q.rows; t++) {
    const [k, v] = [K.row(t), V.row(t)];
    S = S.mul(gamma).plus(k.transpose().times(v));
    const read = Q.row(t).times(S).div(Math.sqrt(Q.cols));
    for (let c = 0; c < V.cols; c++) output.set(t, c, read.get(0, c));
  }
  return output;
}
