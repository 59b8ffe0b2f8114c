/** A whole experiment as one JSON file: the link, the numbers it led to, and own matrices. */
import type { Matrix, Qkv } from '#client';
import { ImportError } from '../import/error.js';
import { say } from '../import/phrases.js';
import { runSliced } from '../import/run-in-slices.js';
import { shown } from '../strings/shown.ts';
import { shortestFloat32 } from './csv.js';

export interface Experiment {
  /** The lab's folder name. */
  readonly lab: string;
  /** The query string that opens it: what `StateDefinition.print` gives. */
  readonly link: string;
  /** The same settings by name, for people; reading back uses the link. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  /** Measured numbers by name; `null` stands for NaN and infinities, which JSON cannot write. */
  readonly results?: Readonly<Record<string, number | null>>;
  /** Present when Q, K, V came from files. */
  readonly matrices?: Qkv;
}

const FORMAT = 'attention-labs/experiment';
const VERSION = 1;
const WANTED = say('experiment');
/** 3 × 4 Mi entries of 12 characters. */
const MAX_CHARS = 150 * 1024 * 1024;

/** The experiment as JSON text. Matrices take a while, so the page keeps breathing meanwhile. */
export function experimentToJson(experiment: Experiment): Promise<string> {
  return runSliced(write(experiment));
}

function* write({ lab, link, settings, results, matrices }: Experiment): Generator<void, string> {
  const finite = results
    ? Object.fromEntries(
        Object.entries(results).map(([name, value]) => [
          name,
          value !== null && Number.isFinite(value) ? value : null,
        ]),
      )
    : undefined;
  const head = {
    format: FORMAT,
    version: VERSION,
    lab,
    link,
    ...(settings ? { settings } : {}),
    ...(finite ? { results: finite } : {}),
  };
  const text = JSON.stringify(head, null, 2);
  if (!matrices) return `${text}\n`;
  // A number a line, as JSON.stringify would indent them, makes a page of every row.
  const lines: string[] = [];
  for (const name of ['q', 'k', 'v'] as const) {
    const { rows, cols, data } = matrices[name];
    const entries: string[] = [];
    for (let i = 0; i < data.length; i++) {
      entries.push(shortestFloat32(data[i] as number));
      if (i % 128 === 127) yield;
    }
    lines.push(`    "${name}": {"rows": ${rows}, "cols": ${cols}, "data": [${entries.join(',')}]}`);
  }
  return `${text.slice(0, -2)},\n  "matrices": {\n${lines.join(',\n')}\n  }\n}\n`;
}

/** The experiment of `experimentToJson`. Throws `ImportError` for any other text. */
export function parseExperiment(text: string): Experiment {
  if (text.length > MAX_CHARS) throw new ImportError(say('characters', { n: text.length }), WANTED);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new ImportError(say('not_json'), WANTED);
  }
  if (!isRecord(document) || document.format !== FORMAT) {
    throw new ImportError(say('other_json'), WANTED);
  }
  if (document.version !== VERSION) {
    throw new ImportError(
      say('version', { version: shown(document.version) }),
      say('known_version', { version: VERSION }),
    );
  }
  const { lab, link, settings, results, matrices } = document;
  if (typeof lab !== 'string' || typeof link !== 'string') {
    throw new ImportError(say('no_lab'), WANTED);
  }
  if (settings !== undefined && !isRecordOf(settings, isSetting)) {
    throw new ImportError(say('odd_settings'), WANTED);
  }
  if (results !== undefined && !isRecordOf(results, isResult)) {
    throw new ImportError(say('odd_results'), WANTED);
  }
  return {
    lab,
    link,
    ...(settings ? { settings } : {}),
    ...(results ? { results } : {}),
    ...(matrices === undefined ? {} : { matrices: toQkv(matrices) }),
  };
}

function toQkv(value: unknown): Qkv {
  if (!isRecord(value)) throw new ImportError(say('odd_matrices'), WANTED);
  return { q: toMatrix(value.q, 'q'), k: toMatrix(value.k, 'k'), v: toMatrix(value.v, 'v') };
}

function toMatrix(value: unknown, name: string): Matrix {
  const wanted = say('matrix_parts');
  if (!isRecord(value)) throw new ImportError(say('no_matrix', { name }), wanted);
  const { rows, cols, data } = value;
  const isSize = (size: unknown): size is number =>
    typeof size === 'number' && Number.isSafeInteger(size) && size > 0;
  if (!isSize(rows) || !isSize(cols) || !Array.isArray(data) || data.length !== rows * cols) {
    throw new ImportError(say('matrix_size', { name }), wanted);
  }
  const entries = new Float32Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const entry: unknown = data[i];
    if (typeof entry !== 'number' || !Number.isFinite(Math.fround(entry))) {
      throw new ImportError(say('matrix_entry', { entry: i, name, value: shown(entry) }), wanted);
    }
    entries[i] = entry;
  }
  return { rows, cols, data: entries };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRecordOf<T>(
  value: unknown,
  isItem: (item: unknown) => item is T,
): value is Record<string, T> {
  return isRecord(value) && Object.values(value).every(isItem);
}

/** `1e999` is a number of JSON, and is infinite here: written again, it would be `null`. */
const isNumber = (item: unknown): item is number => Number.isFinite(item);
const isSetting = (item: unknown): item is string | number | boolean =>
  typeof item === 'string' || typeof item === 'boolean' || isNumber(item);
const isResult = (item: unknown): item is number | null => item === null || isNumber(item);
