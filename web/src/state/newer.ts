/**
 * Records that a newer version of this page wrote. This version cannot read them, so it neither changes nor
 * removes them: it keeps its own record beside them.
 */

/** The version of every record that this page writes. */
export const RECORD_VERSION = 1;

export const isNewer = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { readonly v?: unknown }).v === 'number' &&
  (value as { readonly v: number }).v > RECORD_VERSION;

const SUFFIX = `@v${RECORD_VERSION}`;

/** The key under which this version keeps its record when a newer record has taken the given key. */
export const besideNewer = (key: string): string => `${key}${SUFFIX}`;

/** The key that was given to `besideNewer`; any other key is returned unchanged. */
export const withoutSuffix = (key: string): string =>
  key.endsWith(SUFFIX) ? key.slice(0, -SUFFIX.length) : key;

/** The fields of `value` that `known` lacks. A later page of the same version may have added them. */
export function unknownFields(value: object, known: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !(name in known)));
}
