function gaussian(X, Y, gamma) {
  const norms = X.mul(X).sumRows();
  const others = Y.mul(Y).sumRows().transpose();
  const squared = X.times(Y.transpose()).mul(-2).plus(norms).plus(others);
  return squared.maximum(0).mul(-gamma).exp();
}

// The X with A X = B. A is positive definite, so no rows have to be exchanged.
function solve(A, B) {
  const n = A.rows;
  const a = A.concatCols(B).toArray();
  for (let i = 0; i < n; i++) {
    const pivot = a[i][i];
    a[i] = a[i].map((value) => value / pivot);
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const factor = a[j][i];
      a[j] = a[j].map((value, k) => value - factor * a[i][k]);
    }
  }
  return new Matrix(
    n,
    B.cols,
    a.flatMap((row) => row.slice(n)),
  );
}

function nystrom(X, L, gamma) {
  const across = gaussian(X, L, gamma);
  return across.times(solve(gaussian(L, L, gamma), across.transpose()));
}
