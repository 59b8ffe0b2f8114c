function checkpointedBackward(x, W, dOut, layers, segment) {
  const inputs = []; // what each segment began with
  let h = x;
  for (let layer = 0; layer < layers; layer++) {
    if (layer % segment === 0) inputs.push(h);
    h = h.times(W).map(Math.tanh);
  }
  let g = dOut;
  let dW = Matrix.zeros(W.rows, W.cols);
  let peak = 0;
  while (inputs.length > 0) {
    const first = (inputs.length - 1) * segment;
    const last = Math.min(first + segment, layers);
    // The segment once more, and this time all of it is kept.
    const kept = [inputs[inputs.length - 1]];
    for (let layer = first; layer < last; layer++) {
      kept.push(kept[kept.length - 1].times(W).map(Math.tanh));
    }
    peak = Math.max(peak, inputs.length + last - first);
    for (let layer = last - first - 1; layer >= 0; layer--) {
      const step = g.mul(kept[layer + 1].map((y) => 1 - y * y));
      dW = dW.plus(kept[layer].transpose().times(step));
      g = step.times(W.transpose());
    }
    inputs.pop();
  }
  return [g, dW, peak];
}
