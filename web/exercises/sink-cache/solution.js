function sinkCache(Q, K, V, sinks, window, slope) {
  const output = Matrix.zeros(V.rows, V.cols);
  const kept = []; // places in the text, oldest first
  for (let t = 0; t < Q.rows; t++) {
    kept.push(t);
    // The oldest token that is no sink.
    if (kept.length > sinks + window) kept.splice(sinks, 1);
    const query = Q.row(t);
    // The distance is counted in the cache: what was evicted leaves no gap.
    const scores = kept.map((j, at) => {
      const score = query.mul(K.row(j)).sum() / Math.sqrt(Q.cols);
      return score - slope * (kept.length - 1 - at);
    });
    const largest = Math.max(...scores);
    const exps = scores.map((score) => Math.exp(score - largest));
    const sum = exps.reduce((a, b) => a + b);
    let mean = Matrix.zeros(1, V.cols);
    kept.forEach((j, at) => {
      mean = mean.plus(V.row(j).mul(exps[at] / sum));
    });
    for (let c = 0; c < V.cols; c++) output.set(t, c, mean.get(0, c));
  }
  return [output, Matrix.from(kept)];
}
