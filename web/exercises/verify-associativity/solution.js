function verifyAssociativity(Q, K, V) {
  const standard = Q.times(K.transpose()).times(V);
  const linear = Q.times(K.transpose().times(V));
  const difference = standard.minus(linear).map(Math.abs);
  const size = linear.map(Math.abs);
  const relative = difference.map((gap, i, j) => (size.get(i, j) > 0 ? gap / size.get(i, j) : 0));
  const excess = difference.map((gap, i, j) => gap - (1e-3 + 1e-5 * size.get(i, j)));
  return {
    max_abs_difference: difference.max(),
    max_rel_difference: relative.max(),
    equal: excess.max() <= 0,
  };
}
