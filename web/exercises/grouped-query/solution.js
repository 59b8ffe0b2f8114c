function groupedQueryAttention(Q, K, V) {
  // Neighbours share: so many heads of queries read one head of keys and values.
  const share = Q.length / K.length;
  return Q.map((queries, i) => {
    const group = Math.floor(i / share);
    const scores = queries.times(K[group].transpose()).div(Math.sqrt(queries.cols));
    const exps = scores.minus(scores.maxRows()).exp();
    return exps.div(exps.sumRows()).times(V[group]);
  });
}
