function randomFourierFeatures(X, W, b) {
  // b is a matrix of one row, which is added to every row.
  return X.times(W)
    .plus(b)
    .map(Math.cos)
    .mul(Math.sqrt(2 / W.cols));
}
