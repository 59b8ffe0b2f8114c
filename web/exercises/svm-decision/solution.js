function svmDecision(X, y, alpha, b, gamma, Z) {
  const weights = alpha.mul(y);
  const points = X.mul(X).sumRows().transpose();
  const places = Z.mul(Z).sumRows();
  const distances = Z.times(X.transpose()).mul(-2).plus(places).plus(points).maximum(0);
  // Vectors are matrices of one row.
  return weights.times(distances.mul(-gamma).exp().transpose()).plus(b);
}
