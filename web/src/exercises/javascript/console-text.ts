import { Matrix } from './matrix';

const maxItems = 100;

/** One argument of console.log, as text. */
export function show(value: unknown, depth = 0): string {
  if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value);
  if (value instanceof Matrix) return value.toString();
  if (typeof value === 'function') return `[function ${value.name || 'without a name'}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth > 3) return '…';
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const list = Array.from(value as ArrayLike<unknown>, (item) => item);
    const items = list.slice(0, maxItems).map((item) => show(item, depth + 1));
    return `[${items.join(', ')}${list.length > maxItems ? ', …' : ''}]`;
  }
  if (value instanceof Error || 'stack' in value) return String(value);
  const entries = Object.entries(value).slice(0, maxItems);
  return `{ ${entries.map(([key, item]) => `${key}: ${show(item, depth + 1)}`).join(', ')} }`;
}

/** A console that writes lines of text. */
export function textConsole(write: (text: string) => void): Record<string, unknown> {
  const line = (...values: unknown[]): void =>
    write(`${values.map((value) => show(value)).join(' ')}\n`);
  const nothing = (): void => undefined;
  return {
    log: line,
    info: line,
    warn: line,
    error: line,
    debug: line,
    dir: line,
    table: line,
    trace: line,
    assert: (truth: unknown, ...values: unknown[]) => {
      if (!truth) line('Assertion failed:', ...values);
    },
    group: line,
    groupEnd: nothing,
    time: nothing,
    timeEnd: nothing,
    clear: nothing,
  };
}
