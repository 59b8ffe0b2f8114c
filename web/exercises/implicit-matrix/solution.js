function implicitMatrix(Q, K, alpha) {
  const scores = Q.times(K.transpose()).div(Math.sqrt(Q.cols));
  // A product of gates is a difference of sums of logarithms.
  let sum = 0;
  const c = alpha.map((gate) => {
    sum += Math.log(gate);
    return sum;
  });
  return scores.map((score, i, j) => (j > i ? 0 : score * Math.exp(c.get(0, i) - c.get(0, j))));
}
