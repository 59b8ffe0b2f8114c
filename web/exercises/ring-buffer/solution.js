function ringBuffer(keysBefore, valuesBefore, seen, q, k, v) {
  const keys = keysBefore.clone();
  const values = valuesBefore.clone();
  const w = keys.rows;
  const slot = seen % w;
  for (let c = 0; c < keys.cols; c++) keys.set(slot, c, k.get(0, c));
  for (let c = 0; c < values.cols; c++) values.set(slot, c, v.get(0, c));
  // Until the ring is full its tokens lie in the first slots.
  const count = Math.min(seen + 1, w);
  const scores = q.times(keys.slice(0, count).transpose()).div(Math.sqrt(q.cols));
  const weights = scores.minus(scores.max()).exp();
  const output = weights.times(values.slice(0, count)).div(weights.sum());
  // In a full ring the oldest token lies where the next one will be written.
  const first = count === w ? (seen + 1) % w : 0;
  const order = Matrix.zeros(1, count).map((_, _row, at) => (first + at) % w);
  return [output, keys, values, order];
}
