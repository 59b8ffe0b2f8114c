function headImportance(outputs, gradients, numHeads) {
  const importance = Matrix.zeros(1, numHeads);
  outputs.forEach((output, example) => {
    const products = output.mul(gradients[example]);
    const width = output.cols / numHeads;
    for (let h = 0; h < numHeads; h++) {
      // What the loss does when the gate of a head moves: one number for each example and head.
      const gate = products.slice(0, output.rows, h * width, (h + 1) * width).sum();
      // The size first, then the mean: examples that pull in opposite directions must not cancel.
      importance.set(0, h, importance.get(0, h) + Math.abs(gate) / outputs.length);
    }
  });
  const norm = Math.sqrt(importance.mul(importance).sum());
  return norm > 0 ? importance.div(norm) : importance;
}
