function onlineSoftmaxAttention(Q, K, V, blockSize) {
  let runningMax = Matrix.full(Q.rows, 1, -Infinity);
  let runningSum = Matrix.zeros(Q.rows, 1);
  let total = Matrix.zeros(Q.rows, V.cols);
  for (let start = 0; start < K.rows; start += blockSize) {
    const end = Math.min(K.rows, start + blockSize);
    const scores = Q.times(K.slice(start, end).transpose()).div(Math.sqrt(Q.cols));
    const newMax = runningMax.maximum(scores.maxRows());
    const weights = scores.minus(newMax).exp();
    // What was summed so far was measured from the old maximum: move it to the new one.
    const correction = runningMax.minus(newMax).exp();
    runningSum = runningSum.mul(correction).plus(weights.sumRows());
    total = total.mul(correction).plus(weights.times(V.slice(start, end)));
    runningMax = newMax;
  }
  const logsumexp = runningMax.plus(runningSum.map(Math.log));
  return [total.div(runningSum), logsumexp.transpose()];
}
