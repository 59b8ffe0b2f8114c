function standardAttentionOrder(Q, K, V) {
  const scores = Q.times(K.transpose()); // n×m: one number for every query and key
  return [scores.times(V), scores];
}
