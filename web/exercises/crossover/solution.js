function crossover(d, dV, D) {
  // n²·(d + d_v) = 2·n·D·d_v, solved for n
  return (2 * D * dV) / (d + dV);
}
