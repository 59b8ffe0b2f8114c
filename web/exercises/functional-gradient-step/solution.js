function functionalGradientStep(X, y, alpha, gamma, rate, lam) {
  const norms = X.mul(X).sumRows();
  const squared = X.times(X.transpose()).mul(-2).plus(norms).plus(norms.transpose());
  const K = squared.maximum(0).mul(-gamma).exp();
  // Vectors are matrices of one row, and K is symmetric.
  const errors = alpha.times(K).minus(y);
  return alpha.mul(1 - 2 * rate * lam).minus(errors.mul((2 * rate) / y.cols));
}
