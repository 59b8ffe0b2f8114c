function wkvStable(K, V, w, u) {
  const output = Matrix.zeros(K.rows, K.cols);
  for (let c = 0; c < K.cols; c++) {
    const rate = w.get(0, c);
    // Less than any exponent: e^(m - top) is 0 before the first token.
    let [p, q, m] = [0, 0, -1e30];
    for (let t = 0; t < K.rows; t++) {
      const [k, v] = [K.get(t, c), V.get(t, c)];
      let top = Math.max(m, u.get(0, c) + k);
      let old = Math.exp(m - top);
      let now = Math.exp(u.get(0, c) + k - top);
      output.set(t, c, (old * p + now * v) / (old * q + now));
      top = Math.max(m - rate, k);
      old = Math.exp(m - rate - top);
      now = Math.exp(k - top);
      [p, q, m] = [old * p + now * v, old * q + now, top];
    }
  }
  return output;
}
