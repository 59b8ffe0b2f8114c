function mqarGenerator(keys, values, gaps, n) {
  const pairs = keys.cols;
  const tokens = Matrix.zeros(1, n);
  const targets = Matrix.full(1, n, -100);
  for (let p = 0; p < pairs; p++) {
    const [key, value] = [keys.get(0, p), values.get(0, p)];
    tokens.set(0, 2 * p, key);
    tokens.set(0, 2 * p + 1, value);
    const place = 2 * pairs + 2 * gaps.get(0, p);
    tokens.set(0, place, key);
    targets.set(0, place, value);
  }
  return [tokens, targets];
}
