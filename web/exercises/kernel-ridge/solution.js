function gaussian(X, Y, gamma) {
  const norms = X.mul(X).sumRows();
  const others = Y.mul(Y).sumRows().transpose();
  const squared = X.times(Y.transpose()).mul(-2).plus(norms).plus(others);
  return squared.maximum(0).mul(-gamma).exp();
}

// The x with A x = b. A is positive definite, so no rows have to be exchanged.
function solve(A, b) {
  const n = A.rows;
  const a = A.toArray();
  const x = Array.from({ length: n }, (_, i) => b.get(0, i));
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const factor = a[j][i] / a[i][i];
      for (let k = i; k < n; k++) a[j][k] -= factor * a[i][k];
      x[j] -= factor * x[i];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  return new Matrix(1, n, x);
}

function kernelRidge(X, y, gamma, lam, Z) {
  const K = gaussian(X, X, gamma);
  const ridge = K.map((value, i, j) => (i === j ? value + y.cols * lam : value));
  const alpha = solve(ridge, y);
  // Vectors are matrices of one row.
  return alpha.times(gaussian(X, Z, gamma));
}
