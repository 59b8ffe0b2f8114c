function recurrentStep(S, z, q, k, v) {
  // Write first, then read: a token sees itself.
  const grownS = S.plus(k.transpose().times(v));
  const grownZ = z.plus(k);
  const output = q.times(grownS).div(q.mul(grownZ).sum() + 1e-6);
  return [output, grownS, grownZ];
}
