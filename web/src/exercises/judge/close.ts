/** How close two numbers have to be, said once for the judge and for every test in TypeScript. */

/**
 * Whether |is − wanted| ≤ atol + rtol·|wanted|. That formula by itself allows every number where an infinity is wanted,
 * because both of its sides are infinite then. So an infinity is close to itself only, and NaN to NaN only.
 */
export function close(is: number, wanted: number, rtol: number, atol: number): boolean {
  if (!Number.isFinite(is) || !Number.isFinite(wanted)) return Object.is(is, wanted);
  return Math.abs(is - wanted) <= atol + rtol * Math.abs(wanted);
}
