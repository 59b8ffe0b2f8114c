function int8Cache(q, K, V, exact) {
  const old = K.rows - exact;
  // Keys: a scale for each channel. Where it is 0, so are the numbers, and any divisor does.
  const scales = K.slice(0, old).map(Math.abs).transpose().maxRows().transpose().div(127);
  const codes = Matrix.zeros(old, K.cols);
  for (let i = 0; i < old; i++) {
    for (let c = 0; c < K.cols; c++) {
      codes.set(i, c, Math.round(K.get(i, c) / (scales.get(0, c) || 1)));
    }
  }
  // Values: a scale for each token.
  const valueScales = V.slice(0, old).map(Math.abs).maxRows().div(127);
  const divisors = valueScales.map((scale) => scale || 1);
  const valueCodes = V.slice(0, old).div(divisors).map(Math.round);
  const keys = codes.mul(scales).concatRows(K.slice(old, K.rows));
  const values = valueCodes.mul(valueScales).concatRows(V.slice(old, V.rows));
  const root = Math.sqrt(q.cols);
  const scores = q.times(keys.transpose()).div(root);
  const weights = scores.minus(scores.max()).exp();
  const output = weights.times(values).div(weights.sum());
  const width = K.cols + V.cols;
  const size = old * width + 4 * (K.cols + old) + 4 * exact * width;
  return [output, codes, scales, size];
}
