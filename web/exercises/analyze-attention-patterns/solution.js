function analyzeAttentionPatterns(attentionWeights) {
  const n = attentionWeights.rows;
  let entropy = 0;
  let diagonal = 0;
  let local = 0;
  let far = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const weight = attentionWeights.get(i, j);
      // 0·ln 0 counts as 0.
      entropy -= weight > 0 ? weight * Math.log(weight) : 0;
      if (i === j) diagonal += weight;
      if (Math.abs(i - j) <= 2) local += weight;
      else far += weight;
    }
  }
  return {
    max_attention: attentionWeights.max(),
    entropy: entropy / n,
    diagonal_mass: diagonal / n,
    // Division by 0 gives Infinity, as asked.
    local_vs_global: local / far,
  };
}
