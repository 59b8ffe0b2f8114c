function softmaxKernelFeatureMap(x, projectionMatrix) {
  const { rows: m, cols: d } = projectionMatrix;
  const scaled = x.div(d ** 0.25); // once for the query, once for the key: together softmax's 1/√d
  const halfNorms = scaled.mul(scaled).sumRows().div(2);
  return scaled.times(projectionMatrix.transpose()).minus(halfNorms).exp().div(Math.sqrt(m));
}
