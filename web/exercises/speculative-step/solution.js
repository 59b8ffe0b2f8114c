function draw(probabilities, r) {
  let sum = 0;
  for (let token = 0; token < probabilities.length; token++) {
    sum += probabilities[token];
    if (sum > r) return token;
  }
  return probabilities.length - 1;
}

function speculativeStep(p, q, drafts, u, r) {
  const gamma = drafts.cols;
  const alpha = Matrix.zeros(1, gamma);
  for (let i = 0; i < gamma; i++) {
    for (let j = 0; j < p.cols; j++) {
      alpha.set(0, i, alpha.get(0, i) + Math.min(p.get(i, j), q.get(i, j)));
    }
  }
  const tokens = Matrix.full(1, gamma + 1, -1);
  let accepted = 0;
  for (let i = 0; i < gamma; i++) {
    const x = drafts.get(0, i);
    if (u.get(0, i) * q.get(i, x) < p.get(i, x)) {
      tokens.set(0, accepted, x);
      accepted++;
    } else {
      // What the drafts do not give already: so that both ways together give p.
      const rest = [];
      for (let j = 0; j < p.cols; j++) rest.push(Math.max(0, p.get(i, j) - q.get(i, j)));
      const sum = rest.reduce((a, b) => a + b);
      const shares = rest.map((part) => part / sum);
      tokens.set(0, accepted, draw(shares, r));
      return [tokens, accepted, alpha];
    }
  }
  tokens.set(0, accepted, draw(p.row(gamma).data, r));
  return [tokens, accepted, alpha];
}
