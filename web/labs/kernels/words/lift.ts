/** The words of the lift. They are no part of the lazy words, so that the figure can open the lab. */
export const words = {
  heading: 'Two rings, lifted',
  c: 'height of the plane',
  a: 'tilt along x',
  b: 'tilt along y',
  n: 'points',
  noise: 'noise',
  yaw: 'turn',
  pitch: 'look from above',
  above: 'In the plane',
  lifted: 'Lifted onto the paraboloid',
  turnHelp: 'Drag the lifted points to turn them, or take the arrow keys.',
  separated: (right: number, n: number) =>
    right === n
      ? `The plane has the inner ring below it and the outer ring above it: all ${n} points on their side.`
      : `${right} of ${n} points lie on their side of the plane.`,
  circle: (x: string, y: string, r: string) =>
    `Seen from above the cut is the circle around (${x}, ${y}) with radius ${r}.`,
  noCircle: 'This plane misses the paraboloid, so there is no circle.',
  kernel: (difference: string) =>
    `φ(p)·φ(q), computed from the three coordinates, and p·q + ‖p‖²‖q‖², computed in the plane, differ by at most ${difference} over all pairs.`,
  caption: (n: number, noise: string, seed: number, plane: string) =>
    `${n} points on two rings, noise ${noise}, seed ${seed}, lifted by φ(x, y) = (x, y, x² + y²) and cut by the plane ${plane}.`,
  columns: ['x', 'y', 'x² + y²', 'ring', 'side'],
};
