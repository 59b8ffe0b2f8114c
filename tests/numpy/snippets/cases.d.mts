export const cases: Readonly<Record<string, object>>;
export function script(
  name: string,
  read: (name: string) => string,
  real: boolean,
): { readonly before: string; readonly code: string };
