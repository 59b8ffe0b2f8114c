function isPositiveSemidefinite(X, gamma, offset) {
  const n = X.rows;
  const K = X.times(X.transpose())
    .mul(gamma)
    .plus(offset)
    .map((value) => Math.tanh(value));
  // All eigenvalues lie between −size and size, so those of 2·size·I − K are above 0. Its largest
  // belongs to K's smallest, and powers of it leave nothing but that eigenvector.
  const size = Math.sqrt(K.mul(K).sum());
  let power = K.map((value, i, j) => (i === j ? 2 * size - value : -value));
  for (let doubling = 0; doubling < 40; doubling++) {
    power = power.times(power);
    power = power.div(Math.sqrt(power.mul(power).sum()));
  }
  // What is left is v vᵀ: its longest column has the direction of v.
  let at = 0;
  for (let i = 1; i < n; i++) if (power.get(i, i) > power.get(at, at)) at = i;
  const v = power.row(at).div(Math.sqrt(power.get(at, at)));
  const smallest = v.times(K).mul(v).sum() / v.mul(v).sum();
  const none = v.mul(0);
  if (smallest >= -1e-6 * size) return [true, none];
  // The entry at `at` is the largest, and it is positive.
  return [false, v.div(Math.sqrt(v.mul(v).sum()))];
}
