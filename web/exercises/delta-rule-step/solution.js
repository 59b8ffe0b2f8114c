function deltaRuleStep(S, q, k, v, beta) {
  // Only what the state does not return under k yet is written.
  const grown = S.plus(
    k
      .transpose()
      .times(v.minus(k.times(S)))
      .mul(beta),
  );
  return [q.times(grown), grown];
}
