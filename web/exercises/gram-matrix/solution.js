function gramMatrix(X, gamma) {
  const norms = X.mul(X).sumRows();
  const squared = X.times(X.transpose()).mul(-2).plus(norms).plus(norms.transpose());
  // Rounding can leave a distance slightly below 0.
  return squared.maximum(0).mul(-gamma).exp();
}
