function smo(X, y, gamma, C, steps) {
  const n = X.rows;
  const norms = X.mul(X).sumRows();
  const squared = X.times(X.transpose()).mul(-2).plus(norms).plus(norms.transpose());
  const K = squared.maximum(0).mul(-gamma).exp();
  const alpha = new Array(n).fill(0);
  for (let step = 0; step < steps; step++) {
    const weights = new Matrix(1, n, alpha).mul(y);
    // Vectors are matrices of one row, and K is symmetric.
    const scores = y.minus(weights.times(K));
    let i = -1;
    for (let t = 0; t < n; t++) {
      const canRise = y.get(0, t) > 0 ? alpha[t] < C : alpha[t] > 0;
      if (canRise && (i < 0 || scores.get(0, t) > scores.get(0, i))) i = t;
    }
    let j = -1;
    let most = 0;
    let free = 0;
    for (let t = 0; t < n; t++) {
      const canFall = y.get(0, t) > 0 ? alpha[t] > 0 : alpha[t] < C;
      const ahead = scores.get(0, i) - scores.get(0, t);
      if (!canFall || ahead <= 0) continue;
      const bend = K.get(i, i) + K.get(t, t) - 2 * K.get(i, t);
      const gain = ahead ** 2 / bend;
      if (gain <= most) continue;
      most = gain;
      free = ahead / bend;
      j = t;
    }
    const roomI = y.get(0, i) > 0 ? C - alpha[i] : alpha[i];
    const roomJ = y.get(0, j) > 0 ? alpha[j] : C - alpha[j];
    const length = Math.min(free, roomI, roomJ);
    alpha[i] += y.get(0, i) * length;
    alpha[j] -= y.get(0, j) * length;
  }
  return new Matrix(1, n, alpha);
}
