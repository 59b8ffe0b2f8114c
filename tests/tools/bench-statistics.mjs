// Statistics of samples that were taken in rounds; null stands for a round in which a contender did not run.

const present = (samples) => samples.filter((value) => value !== null);
const sorted = (values) => [...values].sort((a, b) => a - b);

/** Linear interpolation between order statistics. */
export function quantile(values, p) {
  const order = sorted(values);
  const at = p * (order.length - 1);
  const low = Math.floor(at);
  const high = Math.ceil(at);
  return order[low] + (at - low) * (order[high] - order[low]);
}

export const minimum = (samples) => Math.min(...present(samples));

const quartiles = (values) => ({
  median: quantile(values, 0.5),
  q1: quantile(values, 0.25),
  q3: quantile(values, 0.75),
});

export function summary(samples) {
  const values = present(samples);
  return { ...quartiles(values), min: Math.min(...values), rounds: values.length };
}

/** The statistics of a / b over the rounds in which both ran. */
export function pairedRatio(a, b) {
  const ratios = [];
  a.forEach((value, round) => {
    if (value !== null && b[round] !== null) ratios.push(value / b[round]);
  });
  return { ...quartiles(ratios), minToMin: minimum(a) / minimum(b), pairs: ratios.length };
}
