function groupedFromMulti(WK, WV, numHeads, groups) {
  const share = numHeads / groups;
  const averaged = (W) => {
    const width = W.cols / numHeads;
    let all = null;
    for (let g = 0; g < groups; g++) {
      let sum = Matrix.zeros(W.rows, width);
      // Neighbours form a group.
      for (let h = g * share; h < (g + 1) * share; h++) {
        sum = sum.plus(W.slice(0, W.rows, h * width, (h + 1) * width));
      }
      const mean = sum.div(share);
      all = all ? all.concatCols(mean) : mean;
    }
    return all;
  };
  const [K, V] = [averaged(WK), averaged(WV)];
  // What the cache keeps of a token: its key and its value, of every group.
  return [K, V, K.cols + V.cols];
}
