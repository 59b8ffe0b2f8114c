/** Changes inputs: their bytes, lines and JSON, and with the words of their format. */
import type { Random } from './random';
import { bytesOf, type Target, textOf } from './target';

export const MAX_INPUT = 1024;

const NUMBERS = [
  '0',
  '-0',
  '1',
  '-1',
  '255',
  '65536',
  '2147483647',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740993',
  '1e308',
  '1e309',
  '1e-400',
  '0.5',
  'NaN',
  'Infinity',
  '00',
  '1_000',
];

const joined = (...parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const replaced = (bytes: Uint8Array, from: number, to: number, by: Uint8Array): Uint8Array =>
  joined(bytes.subarray(0, from), by, bytes.subarray(to));

/** Two places in an input; the second is after the first and mostly near it. */
function range(length: number, random: Random): [number, number] {
  const from = random.below(length + 1);
  const longest = random.once(4) ? length - from : Math.min(8, length - from);
  return [from, from + random.below(longest + 1)];
}

function ofBytes(bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  const [from, to] = range(bytes.length, random);
  switch (random.below(7)) {
    case 0: {
      const changed = bytes.slice();
      if (changed.length > 0) changed[from % changed.length] = random.below(256);
      return changed;
    }
    case 1: {
      const changed = bytes.slice();
      const at = from % Math.max(1, changed.length);
      if (changed.length > 0) changed[at] = (changed[at] as number) ^ (1 << random.below(8));
      return changed;
    }
    case 2:
      return replaced(bytes, from, to, new Uint8Array(0));
    case 3:
      return replaced(bytes, from, from, bytes.subarray(from, to));
    case 4:
      return replaced(bytes, from, from, Uint8Array.of(random.below(256)));
    case 5:
      return bytes.slice(0, from);
    default: {
      const [start, end] = range(other.length, random);
      return replaced(bytes, from, to, other.subarray(start, end));
    }
  }
}

function ofLines(bytes: Uint8Array, random: Random): Uint8Array {
  const lines = textOf(bytes).split('\n');
  const at = random.below(lines.length);
  const from = random.below(lines.length);
  switch (random.below(4)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(at, 0, lines[from] as string);
      break;
    case 2:
      lines[at] = `${' '.repeat(random.below(9))}${(lines[at] as string).trimStart()}`;
      break;
    default:
      lines.splice(at, 0, ...lines.splice(from, 1 + random.below(3)));
  }
  return bytesOf(lines.join('\n'));
}

/** Makes one change, mostly of the kind that suits the format. */
export function mutated(
  input: Uint8Array,
  random: Random,
  other: Uint8Array,
  { words, change, mostly = false }: Pick<Target, 'words' | 'change' | 'mostly'>,
): Uint8Array {
  if (mostly && !random.once(8)) {
    const special = change?.(input, random, other);
    if (special) return special.slice(0, MAX_INPUT);
  }
  let made = input;
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const special = change && random.once(2) ? change(made, random, other) : undefined;
    if (special) made = special;
    else if (words.length > 0 && random.once(3)) {
      const [from, to] = range(made.length, random);
      const word = random.once(5) ? random.pick(NUMBERS) : random.pick(words);
      made = replaced(made, from, random.once(2) ? from : to, bytesOf(word));
    } else made = random.once(8) ? ofLines(made, random) : ofBytes(made, random, other);
    if (made.length > MAX_INPUT) made = made.slice(0, MAX_INPUT);
  }
  return made;
}

// --- JSON ------------------------------------------------------------------------------------------

type Holder = Record<string, unknown> | unknown[];
type Slot = readonly [holder: Holder, name: string];

function slotsOf(value: unknown, slots: Slot[] = []): Slot[] {
  if (typeof value !== 'object' || value === null) return slots;
  for (const [name, part] of Object.entries(value)) {
    slots.push([value as Holder, name]);
    slotsOf(part, slots);
  }
  return slots;
}

const strange = (random: Random): unknown =>
  random.pick<unknown>([
    ...[null, true, false, 0, -0, -1, 0.5, 1e21, 2 ** 53, -(2 ** 31) - 1],
    ...['', ' ', '0', '__proto__', 'constructor', 'toString', '\u0000', '\ud800', 'x'.repeat(81)],
    ...[[], {}, [null], [[]], { length: 3 }, { toString: null }, { id: 'x', params: null }],
  ]);

/** Changes one part of a JSON text: its value or its name; or copies or removes it. */
export const jsonChange =
  (names: readonly string[] = []) =>
  (input: Uint8Array, random: Random, other: Uint8Array): Uint8Array | undefined => {
    let value: unknown;
    try {
      value = JSON.parse(textOf(input));
    } catch {
      return undefined;
    }
    const slots = slotsOf(value);
    if (slots.length === 0) return undefined;
    const [holder, name] = random.pick(slots) as [Record<string, unknown>, string];
    switch (random.below(7)) {
      case 0:
        delete holder[name];
        break;
      case 1: {
        const [from, part] = random.pick(slots) as [Record<string, unknown>, string];
        holder[name] = structuredClone(from[part]);
        break;
      }
      case 2: {
        let donor: unknown;
        try {
          donor = JSON.parse(textOf(other));
        } catch {
          donor = {};
        }
        const given = slotsOf(donor);
        if (given.length === 0) break;
        const [from, part] = random.pick(given) as [Record<string, unknown>, string];
        holder[name] = from[part];
        break;
      }
      case 3: {
        const key = names.length > 0 && random.once(2) ? random.pick(names) : '__proto__';
        Object.defineProperty(holder, key, {
          ...{ value: strange(random), enumerable: true, configurable: true, writable: true },
        });
        break;
      }
      case 4:
        if (Array.isArray(holder[name])) (holder[name] as unknown[]).push(strange(random));
        else holder[name] = [holder[name]];
        break;
      default:
        holder[name] = strange(random);
    }
    return bytesOf(JSON.stringify(value));
  };
