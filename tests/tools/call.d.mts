/** The file that declares a call, by its name in C++. */
export function declarationOf(name: string): string;
/** The file of `tests/core/` whose tests call it. */
export function testOf(name: string): string;
