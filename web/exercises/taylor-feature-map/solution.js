function taylorFeatureMap(x) {
  const d = x.cols;
  // The fourth root in queries and in keys makes √d of their product.
  const scaled = x.div(d ** 0.25);
  const one = Matrix.full(x.rows, 1, 1);
  const pairs = Matrix.zeros(x.rows, d * d).map((_, row, at) => {
    const [i, j] = [Math.floor(at / d), at % d];
    return (scaled.get(row, i) * scaled.get(row, j)) / Math.SQRT2;
  });
  return one.concatCols(scaled).concatCols(pairs);
}
