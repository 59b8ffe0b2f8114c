function randomSparse(random, keys, neighbour) {
  const n = random.rows;
  const mask = Matrix.identity(n);
  for (let i = 0; i < n; i++) {
    if (neighbour) mask.set(i, (i + n - 1) % n, 1);
    const rest = [];
    for (let j = 0; j < n; j++) {
      if (mask.get(i, j) === 0) rest.push(j);
    }
    rest.sort((a, b) => random.get(i, b) - random.get(i, a));
    for (const j of rest.slice(0, keys)) mask.set(i, j, 1);
  }
  // What a token has after one more layer: all that the tokens have that it sees.
  let reach = mask;
  for (let step = 0; step < n; step++) {
    reach = reach.times(mask).map((ways) => (ways > 0 ? 1 : 0));
  }
  return [mask, reach.min() > 0];
}
