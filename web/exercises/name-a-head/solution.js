function nameAHead(scores, baselines, heldScores, heldBaselines, leastGain) {
  // What a head does beyond the strongest of its baselines.
  const gain = (score, all) => score.minus(all.reduce((one, other) => one.maximum(other)));
  const gains = gain(scores, baselines);
  const heldGains = gain(heldScores, heldBaselines);
  const names = Matrix.full(1, scores.rows, -1);
  const held = Matrix.zeros(1, scores.rows);
  for (let h = 0; h < scores.rows; h++) {
    // The first texts choose one candidate, the others only decide about that one.
    let candidate = 0;
    for (let r = 1; r < scores.cols; r++) {
      if (gains.get(h, r) > gains.get(h, candidate)) candidate = r;
    }
    held.set(0, h, heldGains.get(h, candidate));
    if (gains.get(h, candidate) >= leastGain && held.get(0, h) >= leastGain) {
      names.set(0, h, candidate);
    }
  }
  return [names, held];
}
