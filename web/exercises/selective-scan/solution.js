function selectiveScan(X, Delta, A, B, C) {
  let H = Matrix.zeros(A.rows, A.cols);
  const output = Matrix.zeros(X.rows, X.cols);
  for (let t = 0; t < X.rows; t++) {
    const step = Delta.row(t).transpose();
    const write = X.row(t).transpose().mul(step).times(B.row(t));
    H = A.mul(step).exp().mul(H).plus(write);
    const read = H.times(C.row(t).transpose());
    for (let c = 0; c < X.cols; c++) output.set(t, c, read.get(c, 0));
  }
  return output;
}
