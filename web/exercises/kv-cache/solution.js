function kvCache(Q, K, V, calls, capacity) {
  const output = Matrix.zeros(V.rows, V.cols);
  const lengths = Matrix.zeros(1, calls.cols);
  let keys = K.slice(0, 0);
  let values = V.slice(0, 0);
  let first = 0; // the next row of Q, K and V
  for (let call = 0; call < calls.cols; call++) {
    const count = calls.get(0, call);
    if (count === 0) {
      keys = K.slice(0, 0);
      values = V.slice(0, 0);
    }
    if (keys.rows + count > capacity) {
      first += count;
      lengths.set(0, call, keys.rows);
      continue;
    }
    keys = keys.concatRows(K.slice(first, first + count));
    values = values.concatRows(V.slice(first, first + count));
    for (let t = 0; t < count; t++) {
      // Everything before the call, and the call up to this token.
      const seen = keys.rows - count + t + 1;
      const query = Q.row(first + t);
      const scores = query.times(keys.slice(0, seen).transpose()).div(Math.sqrt(K.cols));
      const weights = scores.minus(scores.max()).exp();
      const mean = weights.times(values.slice(0, seen)).div(weights.sum());
      for (let c = 0; c < V.cols; c++) output.set(first + t, c, mean.get(0, c));
    }
    first += count;
    lengths.set(0, call, keys.rows);
  }
  return [output, lengths];
}
