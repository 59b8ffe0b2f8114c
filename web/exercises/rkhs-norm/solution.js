function rkhsNorm(X, alpha, gamma) {
  const norms = X.mul(X).sumRows();
  const squared = X.times(X.transpose()).mul(-2).plus(norms).plus(norms.transpose());
  const K = squared.maximum(0).mul(-gamma).exp();
  // alpha is a matrix of one row.
  return Math.sqrt(alpha.times(K).mul(alpha).sum());
}
