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
  right: 'points on their side',
  radius: 'radius of the circle',
  of: (right: number, n: number) => `${right} of ${n}`,
  separated: (right: number, n: number) =>
    `${right === n ? `All ${n}` : `${right} of ${n}`} points lie on their side of the plane;`,
  circle: (x: string, y: string, r: string) =>
    `seen from above the cut is the circle around (${x}, ${y}) with radius ${r}.`,
  noCircle: 'it misses the paraboloid, so there is no circle.',
  kernel: 'φ(p)·φ(q) in space and p·q + ‖p‖²‖q‖² in the plane: largest difference',
  caption: (n: number, noise: string, seed: number, plane: string) =>
    `${n} points on two rings, noise ${noise}, seed ${seed}, lifted by φ(x, y) = (x, y, x² + y²) and cut by the plane ${plane}.`,
  columns: ['x', 'y', 'x² + y²', 'ring', 'side'],
};
