/**
 * Tables of numbers as text: commas, semicolons (with decimal commas, as a German or French
 * spreadsheet writes them), tabs or spaces; an optional line of column names and column of row
 * names; `#` comments; RFC 4180 quotes. Every complaint names the line.
 */
import type { Wording } from '#client/phrases';
import { ImportError } from './error.js';
import type { ImportedMatrix } from './matrix-file.js';
import { MAX_ENTRIES } from './npy.js';
import { say } from './phrases.js';

/** 4 Mi entries of 16 characters each. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

const WANTED = say('table');
const CHUNK_BYTES = 16 * 1024;
/** No number needs more, and a message should not repeat a novel. */
const MAX_CELL_CHARS = 4096;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DECIMAL_COMMA = /^[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?$/;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity|∞)$/i;

interface Place {
  readonly line: number;
  readonly column: number;
}

const atLine = (line: number, what: Wording): Wording => say('at_line', { line, what });
const at = ({ line, column }: Place, what: Wording): Wording =>
  say('at_line_and_column', { line, column, what });

type Delimiter = ',' | ';' | '\t' | ' ';

interface Row {
  readonly cells: readonly string[];
  /** Counted from 1; a row with a line break in quotes counts from where it starts. */
  readonly line: number;
  /** Some cell was in quotes: an empty one then is a name that is empty, not a cell left out. */
  readonly quoted: boolean;
}

/** Reads a table; yields where the work may pause. Throws `ImportError` and nothing else. */
export function* parseCsv(bytes: Uint8Array): Generator<void, ImportedMatrix> {
  if (bytes.length > MAX_TEXT_BYTES) {
    throw new ImportError(
      say('text_file_of', { n: Math.ceil(bytes.length / 2 ** 20) }),
      say('at_most_mib_of_text', { most: MAX_TEXT_BYTES / 2 ** 20 }),
    );
  }
  const collect = new Collector();
  let delimiter: Delimiter | undefined;
  let tokenizer: Tokenizer | undefined;
  for (const chunk of decode(bytes)) {
    delimiter ??= detectDelimiter(chunk);
    tokenizer ??= new Tokenizer(delimiter);
    for (const row of tokenizer.push(chunk)) collect.add(row, delimiter);
    yield;
  }
  if (tokenizer && delimiter) {
    for (const row of tokenizer.end()) collect.add(row, delimiter);
  }
  return collect.finish();
}

/** The text in pieces; the first is long enough to tell the delimiter from. */
function* decode(bytes: Uint8Array): Generator<string> {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  const decoder = new TextDecoder(utf16 ?? 'utf-8', { fatal: true });
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    const end = Math.min(bytes.length, start + CHUNK_BYTES);
    let chunk: string;
    try {
      chunk = decoder.decode(bytes.subarray(start, end), { stream: end < bytes.length });
    } catch {
      throw new ImportError(say('not_text', { encoding: utf16 ? 'UTF-16' : 'UTF-8' }), WANTED);
    }
    if (chunk.includes('\0')) throw new ImportError(say('unknown_binary'), WANTED);
    if (chunk !== '') yield chunk;
  }
}

/** Tabs win over semicolons, semicolons over commas: each may stand inside what the next splits. */
function detectDelimiter(sample: string): Delimiter {
  const found = new Set<string>();
  let quoted = false;
  let inComment = false;
  let lineStart = true;
  for (const char of sample) {
    // A line break in quotes is part of a name: no comment begins after it.
    if (!quoted && (char === '\n' || char === '\r')) {
      inComment = false;
      lineStart = true;
      continue;
    }
    if (lineStart && char === '#') inComment = true;
    if (char !== ' ') lineStart = false;
    if (inComment) continue;
    if (char === '"') quoted = !quoted;
    else if (!quoted) found.add(char);
  }
  if (found.has('\t')) return '\t';
  if (found.has(';')) return ';';
  return found.has(',') ? ',' : ' ';
}

/** Cuts text into rows of cells, piece by piece. */
class Tokenizer {
  private cells: string[] = [];
  private cell = '';
  private line = 1;
  private rowLine = 1;
  private state: 'start' | 'plain' | 'quoted' | 'closing' | 'comment' = 'start';
  private afterReturn = false;
  private quoted = false;

  constructor(private readonly delimiter: Delimiter) {}

  *push(text: string): Generator<Row> {
    for (const char of text) {
      if (this.afterReturn) {
        this.afterReturn = false;
        // The second half of a Windows line end that was already counted.
        if (char === '\n') {
          if (this.state === 'quoted') this.append(char);
          continue;
        }
      }
      const isBreak = char === '\n' || char === '\r';
      if (isBreak) {
        this.line++;
        this.afterReturn = char === '\r';
      }
      if (this.state === 'quoted') {
        if (char === '"') this.state = 'closing';
        else this.append(char);
      } else if (isBreak) {
        const row = this.endRow();
        if (row) yield row;
      } else if (this.state === 'comment') {
      } else if (this.state === 'closing' && char === '"') {
        this.state = 'quoted';
        this.append(char);
      } else if (this.isDelimiter(char)) {
        this.endCell();
      } else if (this.state === 'start' && (char === ' ' || char === '\uFEFF')) {
        // Space before a cell, or a byte order mark, is not part of it.
      } else if (this.state === 'start' && char === '#' && this.cells.length === 0) {
        this.state = 'comment';
      } else if (this.state === 'start' && char === '"') {
        this.state = 'quoted';
        this.quoted = true;
      } else if (this.state === 'closing') {
        if (char !== ' ') {
          throw new ImportError(atLine(this.rowLine, say('after_quote')), WANTED);
        }
      } else {
        this.state = 'plain';
        this.append(char);
      }
    }
  }

  *end(): Generator<Row> {
    if (this.state === 'quoted') {
      throw new ImportError(atLine(this.rowLine, say('open_quote')), WANTED);
    }
    const row = this.endRow();
    if (row) yield row;
  }

  private isDelimiter(char: string): boolean {
    return char === this.delimiter || (this.delimiter === ' ' && char === '\t');
  }

  private append(char: string): void {
    this.cell += char;
    if (this.cell.length > MAX_CELL_CHARS) {
      throw new ImportError(
        atLine(this.rowLine, say('long_entry', { most: MAX_CELL_CHARS })),
        WANTED,
      );
    }
  }

  private endCell(): void {
    // Any run of spaces is one delimiter.
    const isGap = this.delimiter === ' ' && this.state === 'start';
    if (!isGap) this.cells.push(this.state === 'closing' ? this.cell : this.cell.trim());
    if (this.cells.length > MAX_ENTRIES) {
      throw new ImportError(
        atLine(this.rowLine, say('more_entries', { most: MAX_ENTRIES })),
        say('at_most_entries', { most: MAX_ENTRIES }),
      );
    }
    this.cell = '';
    this.state = 'start';
  }

  private endRow(): Row | undefined {
    const wasEmpty = this.cells.length === 0 && this.state === 'start';
    if (this.state === 'comment') this.state = 'start';
    else if (!wasEmpty) this.endCell();
    const row = { cells: this.cells, line: this.rowLine, quoted: this.quoted };
    this.cells = [];
    this.quoted = false;
    this.rowLine = this.line;
    return row.cells.length > 0 ? row : undefined;
  }
}

/** Turns rows into a matrix: names, widths, values. */
class Collector {
  private data = new Float32Array(1024);
  private rows = 0;
  private cols = -1;
  private colLabels: readonly string[] | undefined;
  private headerLine = 0;
  private readonly rowLabels: string[] = [];
  /** `none`, or why the first column holds names: an empty corner, or words. */
  private names: 'unknown' | 'none' | 'corner' | 'words' = 'unknown';
  /** Every line of the file ends in a delimiter. */
  private trailing = false;
  private mark: '.' | ',' | undefined;

  add(row: Row, delimiter: Delimiter): void {
    if (this.rows === 0 && this.cols < 0 && this.colLabels === undefined) {
      if (this.startsWithHeader(row)) return;
    }
    let cells = row.cells;
    if (this.cols < 0) {
      if (this.colLabels === undefined) this.trailing = cells.length > 1 && cells.at(-1) === '';
      this.settleNames(row);
    }
    if (this.trailing && cells.at(-1) === '') cells = cells.slice(0, -1);
    const first = this.names === 'none' ? 0 : 1;
    const width = cells.length - first;
    if (this.cols < 0) {
      if (width < 1) {
        throw new ImportError(atLine(row.line, say('name_alone')), WANTED);
      }
      this.checkHeaderWidth(row, cells.length);
      this.cols = width;
    }
    if (width !== this.cols) {
      throw new ImportError(
        atLine(row.line, say('other_width', { n: width, before: this.cols })),
        WANTED,
      );
    }
    if (first === 1) this.addRowLabel(row);
    if ((this.rows + 1) * this.cols > MAX_ENTRIES) {
      throw new ImportError(
        say('more_entries_at', { most: MAX_ENTRIES, line: row.line }),
        say('at_most_entries', { most: MAX_ENTRIES }),
      );
    }
    this.reserve((this.rows + 1) * this.cols);
    const offset = this.rows * this.cols;
    for (let col = 0; col < this.cols; col++) {
      const place = { line: row.line, column: col + first + 1 };
      this.data[offset + col] = this.toNumber(cells[col + first] as string, place, delimiter);
    }
    this.rows++;
  }

  finish(): ImportedMatrix {
    if (this.rows === 0) {
      const seen = this.colLabels
        ? say('words_alone', { line: this.headerLine })
        : say('empty_file');
      throw new ImportError(seen, WANTED);
    }
    const notes: Wording[] = [];
    if (this.colLabels) notes.push(say('column_names', { line: this.headerLine }));
    if (this.names !== 'none') notes.push(say('row_names'));
    if (this.mark === ',') notes.push(say('decimal_commas'));
    return {
      rows: this.rows,
      cols: this.cols,
      data: this.data.slice(0, this.rows * this.cols),
      notes,
      ...(this.names === 'none' ? {} : { rowLabels: this.rowLabels }),
      ...(this.colLabels ? { colLabels: this.colLabels } : {}),
    };
  }

  /** A first line is a header when its corner is empty (a spreadsheet's) or no cell is a number. */
  private startsWithHeader({ cells, line, quoted }: Row): boolean {
    const isNamed = quoted || cells.some((cell) => cell !== '');
    const corner = cells.length > 1 && cells[0] === '' && isNamed;
    const words = cells.every((cell) => cell === '' || isWord(cell));
    if (!corner && !(words && isNamed)) return false;
    this.trailing = !corner && cells.length > 1 && cells.at(-1) === '';
    this.colLabels = this.trailing ? cells.slice(0, -1) : cells;
    this.headerLine = line;
    if (corner) {
      this.names = 'corner';
      this.colLabels = this.colLabels.slice(1);
    }
    return true;
  }

  private settleNames({ cells }: Row): void {
    if (this.names !== 'unknown') return;
    const [first = '', ...rest] = cells;
    const others = this.trailing ? rest.slice(0, -1) : rest;
    const isNamed =
      isWord(first) && others.length > 0 && others.every((cell) => looksNumeric(cell));
    this.names = isNamed ? 'words' : 'none';
    if (isNamed && this.colLabels && this.colLabels.length === cells.length) {
      this.colLabels = this.colLabels.slice(1);
    }
  }

  private checkHeaderWidth(row: Row, cells: number): void {
    if (!this.colLabels) return;
    const numbers = cells - (this.names === 'none' ? 0 : 1);
    if (this.colLabels.length !== numbers) {
      throw new ImportError(
        atLine(
          row.line,
          say('other_width_than_names', {
            n: numbers,
            line: this.headerLine,
            names: this.colLabels.length,
          }),
        ),
        WANTED,
      );
    }
  }

  private addRowLabel({ cells, line }: Row): void {
    const label = cells[0] as string;
    // Without a header only words tell a name from a number; a number here means that the word in
    // the first line was a typing error, and its column must not vanish.
    if (this.names === 'words' && !this.colLabels && looksNumeric(label)) {
      throw new ImportError(
        say('name_then_number', { name: clip(this.rowLabels[0] ?? ''), line }),
        say('numbers_or_names'),
      );
    }
    this.rowLabels.push(label);
  }

  private toNumber(cell: string, place: Place, delimiter: Delimiter): number {
    if (cell === '') throw new ImportError(at(place, say('empty_cell')), say('number_each_cell'));
    let text = asciiMinus(cell);
    let mark: '.' | ',' | undefined;
    if (delimiter !== ',' && DECIMAL_COMMA.test(text)) {
      mark = ',';
      text = text.replace(',', '.');
    } else if (text.includes('.')) {
      mark = '.';
    }
    if (!NUMBER.test(text)) {
      if (NOT_FINITE.test(text))
        throw new ImportError(at(place, say('cell', { cell: clip(cell) })), say('finite'));
      throw new ImportError(at(place, say('not_a_number', { cell: clip(cell) })), WANTED);
    }
    this.mark ??= mark;
    if (mark !== undefined && mark !== this.mark) {
      throw new ImportError(
        at(
          place,
          say(this.mark === ',' ? 'decimal_comma_before' : 'decimal_point_before', {
            cell: clip(cell),
          }),
        ),
        say('one_decimal_mark'),
      );
    }
    const value = Math.fround(Number(text));
    if (!Number.isFinite(value)) {
      throw new ImportError(
        at(place, say('beyond_float32', { cell: clip(cell) })),
        say('float32_range'),
      );
    }
    return value;
  }

  private reserve(entries: number): void {
    if (entries <= this.data.length) return;
    const grown = new Float32Array(Math.max(entries, 2 * this.data.length));
    grown.set(this.data);
    this.data = grown;
  }
}

function looksNumeric(cell: string): boolean {
  const text = asciiMinus(cell);
  return NUMBER.test(text) || DECIMAL_COMMA.test(text);
}

/** Typeset tables write U+2212. */
function asciiMinus(cell: string): string {
  return cell.replaceAll('−', '-');
}

/** A name, as opposed to a number with a typing error in it, which must be reported. */
function isWord(cell: string): boolean {
  return cell !== '' && !NOT_FINITE.test(cell) && !/^[+\-−]?[.,]?\d/.test(cell);
}

function clip(cell: string): string {
  return cell.length > 40 ? `${cell.slice(0, 40)}…` : cell;
}
