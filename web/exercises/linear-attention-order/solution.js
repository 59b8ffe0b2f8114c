function linearAttentionOrder(Q, K, V, featureMap) {
  const memory = featureMap(K).transpose().times(V); // D×d_v: as large for ten tokens as for a million
  return featureMap(Q).times(memory);
}
