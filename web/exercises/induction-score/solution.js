function inductionScore(weights, tokens) {
  let found = 0;
  let equal = 0;
  let rows = 0;
  for (let i = 0; i < tokens.cols; i++) {
    let last = -1;
    for (let j = 0; j < i; j++) {
      if (tokens.get(0, j) === tokens.get(0, i)) last = j;
    }
    // A row without an earlier copy has no target: it says nothing about the head.
    if (last < 0) continue;
    found += weights.get(i, last + 1);
    // A causal head without a preference gives each of its i + 1 keys the same.
    equal += 1 / (i + 1);
    rows++;
  }
  return [found / rows, equal / rows];
}
