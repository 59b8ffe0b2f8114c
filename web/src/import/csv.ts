/**
 * Tables of numbers as text, as pandas, Excel, R and NumPy write them: commas, semicolons (with decimal commas, as a
 * German or French spreadsheet writes them), tabs or spaces; Excel's line `sep=;`; UTF-8, UTF-16 or Windows-1252; an
 * optional line of column names and column of row names; RFC 4180 quotes; in front the `# ` lines that our own export
 * writes. Where a first line or column of numbers may also be names, both readings are offered. Every complaint names
 * the line.
 */
import type { Wording } from '#client/phrases';
import { ImportError } from './error.js';
import type { Choice, ImportedMatrix } from './matrix-file.js';
import { MAX_ENTRIES } from './npy.js';
import { say } from './phrases.js';
import { readingOfTable, type TableReading } from './reading.js';

/** 4 Mi entries of 16 characters each. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

const WANTED = say('table');
const CHUNK_BYTES = 16 * 1024;
/** The first piece tells the delimiter, so it should hold more than one line. */
const FIRST_BYTES = 256 * 1024;
/** No number needs more, and a message should not repeat a novel. */
const MAX_CELL_CHARS = 4096;
/** So many lines tell the delimiter. */
const SAMPLE_ROWS = 20;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DECIMAL_COMMA = /^[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?$/;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity|∞)$/i;
const COUNT = /^\d+$/;
/** What the column of names is called where it has a name. */
const NAMES_TITLE =
  /^(?:#|i|id|idx|index|key|label|name|pos|position|query|row|tok|tokens?|token[ _-]?ids?|unnamed: 0|word|words|wort|zeile)$/i;

interface Place {
  readonly line: number;
  readonly column: number;
}

const atLine = (line: number, what: Wording): Wording => say('at_line', { line, what });
const at = ({ line, column }: Place, what: Wording): Wording =>
  say('at_line_and_column', { line, column, what });

type Delimiter = string;
/** Each may stand inside what the next splits. */
const DELIMITERS: readonly Delimiter[] = ['\t', ';', ',', ' '];

interface Row {
  readonly cells: readonly string[];
  /** Counted from 1; a row with a line break in quotes counts from where it starts. */
  readonly line: number;
  /** The cells that were in quotes: an empty one then is a name that is empty, not a cell left out. */
  readonly quoted: ReadonlySet<number>;
  /** The line as it stands there begins like a comment. */
  readonly comment: boolean;
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Reads a table; yields where the work may pause. Throws `ImportError` and nothing else.
 *
 * @param wanted what is to be read as names; what it leaves open is decided by the table
 */
export function* parseCsv(
  bytes: Uint8Array,
  wanted: TableReading = {},
): Generator<void, ImportedMatrix> {
  if (bytes.length > MAX_TEXT_BYTES) {
    throw new ImportError(
      say('text_file_of', { n: Math.ceil(bytes.length / 2 ** 20) }),
      say('at_most_mib_of_text', { most: MAX_TEXT_BYTES / 2 ** 20 }),
    );
  }
  const encoding = yield* encodingOf(bytes);
  let collect: Collector | undefined;
  let tokenizer: Tokenizer | undefined;
  for (const chunk of decode(bytes, encoding)) {
    if (!tokenizer || !collect) {
      const named = /^"?sep=(.)"?(?=\r|\n|$)/i.exec(chunk);
      // With commas as decimal marks a line is one number.
      const delimiter = named?.[1] ?? (wanted.commas ? ' ' : detectDelimiter(chunk));
      tokenizer = new Tokenizer(delimiter);
      collect = new Collector(delimiter, wanted);
      // Excel's line is no row, but it is a line.
      for (const row of tokenizer.push(named ? chunk.slice(named[0].length) : chunk)) {
        collect.add(row);
      }
    } else {
      for (const row of tokenizer.push(chunk)) collect.add(row);
    }
    yield;
  }
  if (!tokenizer || !collect) throw new ImportError(say('empty_file'), WANTED);
  for (const row of tokenizer.end()) collect.add(row);
  const read = yield* collect.finish();
  if (encoding !== 'windows-1252') return read;
  return { ...read, notes: [...read.notes, say('windows_1252')] };
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** What is no UTF-8 and has no control characters is what Windows wrote before. */
function* encodingOf(bytes: Uint8Array): Generator<void, Encoding> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let start = 0; start < bytes.length; start += 8 * CHUNK_BYTES) {
      const end = Math.min(bytes.length, start + 8 * CHUNK_BYTES);
      decoder.decode(bytes.subarray(start, end), { stream: end < bytes.length });
      yield;
    }
    return 'utf-8';
  } catch {
    const isText = (byte: number): boolean =>
      byte >= 0x20 ? !NOT_IN_1252.has(byte) : byte === 9 || byte === 10 || byte === 13;
    if (!bytes.every(isText)) {
      throw new ImportError(say('not_text', { encoding: 'UTF-8' }), WANTED);
    }
    return 'windows-1252';
  }
}

const NOT_IN_1252: ReadonlySet<number> = new Set([0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/** The text in pieces; the first is long enough to tell the delimiter from. */
function* decode(bytes: Uint8Array, encoding: Encoding): Generator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = Math.min(bytes.length, start === 0 ? FIRST_BYTES : start + CHUNK_BYTES);
    let chunk: string;
    try {
      chunk = decoder.decode(bytes.subarray(start, end), { stream: end < bytes.length });
    } catch {
      const name = encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
      throw new ImportError(say('not_text', { encoding: name }), WANTED);
    }
    if (chunk.includes('\0')) throw new ImportError(say('unknown_binary'), WANTED);
    // What is pasted may have a second byte order mark, which the decoder keeps.
    if (start === 0) chunk = chunk.replace(/^\uFEFF+/, '');
    if (chunk !== '') yield chunk;
  }
}

/**
 * The delimiter by which the first lines are equally wide and have the largest share of numbers: a semicolon or a comma
 * may also be a token. Where nothing makes columns, the first of the list that occurs.
 */
function detectDelimiter(sample: string): Delimiter {
  let best: { readonly delimiter: Delimiter; readonly share: number } | undefined;
  for (const delimiter of DELIMITERS) {
    const share = shareOfNumbers(sample, delimiter);
    if (share > (best?.share ?? 0)) best = { delimiter, share };
  }
  if (best) return best.delimiter;
  const plain = sample.replace(/"[^"]*"/g, '').replace(/^# .*$/gm, '');
  return DELIMITERS.find((delimiter) => plain.includes(delimiter)) ?? ' ';
}

/** The share of cells below the first line that are numbers; 0 where the lines are not equally wide, or one cell each. */
function shareOfNumbers(sample: string, delimiter: Delimiter): number {
  const rows: Row[] = [];
  try {
    for (const row of new Tokenizer(delimiter).push(sample)) {
      if (!row.comment) rows.push(row);
      if (rows.length > SAMPLE_ROWS) break;
    }
    // A short table may have no line end behind its last row.
    if (rows.length < 2) {
      rows.length = 0;
      const tokenizer = new Tokenizer(delimiter);
      for (const row of [...tokenizer.push(sample), ...tokenizer.end()]) {
        if (!row.comment) rows.push(row);
      }
    }
  } catch {
    return 0;
  }
  const body = rows.length > 1 ? rows.slice(1) : rows;
  const width = body[0]?.cells.length ?? 0;
  if (width < 2 || body.some(({ cells }) => cells.length !== width)) return 0;
  const cells = body.flatMap((row) => row.cells);
  return cells.filter((cell) => isNumber(cell, delimiter)).length / cells.length;
}

/** Cuts text into rows of cells, piece by piece. */
class Tokenizer {
  private cells: string[] = [];
  private cell = '';
  private line = 1;
  private rowLine = 1;
  private state: 'start' | 'plain' | 'quoted' | 'closing' = 'start';
  private afterReturn = false;
  private quoted: Set<number> | undefined;
  /** How the row begins, as far as that tells a comment. */
  private beginning = '';

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
      // A comment is a line of prose: a quote in it opens nothing.
      const inComment = this.beginning === '# ';
      if (!isBreak && this.beginning.length < 2) this.beginning += char;
      if (this.state === 'quoted') {
        if (char === '"') this.state = 'closing';
        else this.append(char);
      } else if (isBreak) {
        const row = this.endRow();
        if (row) yield row;
      } else if (this.state === 'closing' && char === '"') {
        this.state = 'quoted';
        this.append(char);
      } else if (this.isDelimiter(char)) {
        this.endCell();
      } else if (this.state === 'start' && char === ' ') {
        // Space before a word may belong to it, as in the tokens of many models; space before a quote does not.
        this.append(char);
      } else if (this.state === 'start' && char === '"' && !inComment) {
        this.cell = '';
        this.state = 'quoted';
        this.quoted ??= new Set();
        this.quoted.add(this.cells.length);
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
    if (this.cell.length > MAX_CELL_CHARS && this.beginning !== '# ') {
      throw new ImportError(
        atLine(this.rowLine, say('long_entry', { most: MAX_CELL_CHARS })),
        WANTED,
      );
    }
  }

  private endCell(): void {
    // Any run of spaces is one delimiter.
    const isGap = this.delimiter === ' ' && this.state === 'start';
    if (!isGap) this.cells.push(this.cell);
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
    if (this.cells.length > 0 || this.state !== 'start') this.endCell();
    const row = {
      cells: this.cells,
      line: this.rowLine,
      quoted: this.quoted ?? NONE,
      comment: this.beginning === '# ' || (this.beginning === '#' && this.cells.length === 1),
    };
    this.cells = [];
    this.cell = '';
    this.quoted = undefined;
    this.beginning = '';
    this.rowLine = this.line;
    return row.cells.length > 0 ? row : undefined;
  }
}

/** Turns rows into a matrix: names, widths, values. What is a name is decided when all rows are there. */
class Collector {
  /** Lines in front that look like comments: one of them may be a row whose name begins with `# `. */
  private comments: Row[] = [];
  private top: Row | undefined;
  /** The first cells of all rows below the first, and where they stand. */
  private readonly firsts: string[] = [];
  private readonly lines: number[] = [];
  private readonly quotedFirsts = new Set<number>();
  /** Some number below the first row is in quotes. */
  private quotedBelow = false;
  /** All other cells below the first row. */
  private data = new Float32Array(1024);
  /** The cells of a row below the first, the first cell included. */
  private width = -1;
  /** Every line of the file ends in a delimiter. */
  private trailing = false;
  private mark: '.' | ',' | undefined;
  /** Some number below the first line and behind the first column is no whole one. */
  private decimals = false;

  constructor(
    private readonly delimiter: Delimiter,
    private readonly wanted: TableReading,
  ) {}

  add(row: Row): void {
    if (!this.top) {
      if (row.comment) {
        this.comments.push(row);
        return;
      }
      // A name that begins so, and as many numbers as the named row below it has, is a row of the table.
      const named = isWord(row.cells[0] as string);
      const kept = this.comments.filter(
        ({ cells }) =>
          named &&
          cells.length > 1 &&
          cells.length === row.cells.length &&
          cells.slice(1).every((cell) => isNumber(cell, this.delimiter)),
      );
      this.comments = [];
      for (const comment of kept) this.take(comment);
    }
    this.take(row);
  }

  private take(row: Row): void {
    if (!this.top) {
      this.top = row;
      return;
    }
    if (this.width < 0) this.settleWidth(this.top, row);
    const { line, quoted } = row;
    let { cells } = row;
    if (this.trailing && cells.at(-1)?.trim() === '') cells = cells.slice(0, -1);
    if (cells.length !== this.width) {
      const names = this.mayBeHeader() && this.firsts.length === 0;
      const { cells: titles, line: titleLine } = this.top;
      throw new ImportError(
        atLine(
          line,
          names
            ? say('other_width_than_names', {
                n: cells.length,
                line: titleLine,
                names: titles.length,
              })
            : say('other_width', { n: cells.length, before: this.width }),
        ),
        WANTED,
      );
    }
    const rest = this.width - 1;
    // Names are no entries: how many there are is counted when the names are known.
    const entries = (this.firsts.length + 1) * Math.max(1, rest);
    if (entries > MAX_ENTRIES) throw tooMany(line);
    this.reserve(entries);
    const offset = this.firsts.length * rest;
    for (let col = 0; col < rest; col++) {
      const cell = cells[col + 1] as string;
      this.data[offset + col] = this.toNumber(cell, { line, column: col + 2 });
      this.decimals ||= hasDecimals(cell);
    }
    if (quoted.has(0)) this.quotedFirsts.add(this.firsts.length);
    this.quotedBelow ||= quoted.size > (quoted.has(0) ? 1 : 0);
    this.firsts.push(cells[0] as string);
    this.lines.push(line);
  }

  /** The first row may be one cell shorter: names of columns, and no title for the names of rows. */
  private settleWidth(top: Row, row: Row): void {
    this.trailing = endsEmpty(top) && endsEmpty(row);
    if (this.trailing) this.top = { ...top, cells: top.cells.slice(0, -1) };
    const titles = top.cells.length - (this.trailing ? 1 : 0);
    const cells = row.cells.length - (this.trailing ? 1 : 0);
    const first = row.cells[0] as string;
    const named = isWord(first) || row.quoted.has(0) || COUNT.test(first);
    const short = titles === cells - 1 && named && (this.mayBeHeader() || isWord(first));
    this.width = titles === cells || short ? cells : titles;
  }

  /** Some cell of the first row is no number: it can only be a row of names. */
  private mayBeHeader(): boolean {
    return this.top?.cells.some((cell) => isWord(cell)) ?? false;
  }

  *finish(): Generator<void, ImportedMatrix> {
    let { top } = this;
    if (!top) throw new ImportError(say('empty_file'), WANTED);
    if (this.width < 0) {
      if (endsEmpty(top)) top = { ...top, cells: top.cells.slice(0, -1) };
      this.width = top.cells.length;
    }
    return yield* this.made(top, this.layout(top));
  }

  /** What the first row and the first column are. */
  private layout(top: Row): Layout {
    const { wanted, firsts, width, delimiter } = this;
    const { cells } = top;
    const [title = '', ...titles] = cells;
    // A row of names without a title for the names below it, or with an empty one.
    const short = cells.length === width - 1;
    const noTitle =
      title === '' || (title.trim() === '' && !titles.every((c) => isNumber(c, delimiter)));
    const certain = firsts.length > 0 && width > 1 && (short || noTitle);
    if (certain) return { header: true, names: true, titles: short ? cells : titles };

    const names = (header: boolean): Guess => this.namesIn(top, header);
    const header = (named: boolean): Guess => this.headerIn(top, named);
    // What one is taken for decides about the other, so both have to agree.
    let column = names(true);
    let row = header(column.is);
    if (firsts.length === 0 || !row.is) {
      column = names(false);
      row = header(column.is);
    }
    if (row.is && firsts.length === 0) row = { is: false, other: false };

    // What the visitor has chosen instead can be taken back.
    if (wanted.header !== undefined && wanted.header !== row.is && firsts.length > 0) {
      row = { is: wanted.header, other: true };
      const again = names(row.is);
      column = { is: again.is || column.is, other: again.other || column.other };
    }
    if (wanted.names !== undefined && wanted.names !== column.is && width > 1) {
      column = { is: wanted.names, other: true };
    }
    return {
      header: row.is,
      names: column.is,
      titles: column.is ? titles : cells,
      ...(row.other && { otherHeader: true }),
      ...(column.other && { otherNames: true }),
    };
  }

  /** Whether the first column is one of names. */
  private namesIn(top: Row, header: boolean): Guess {
    const [title = '', ...titles] = top.cells;
    if (this.width < 2) return { is: false, other: false };
    const below = this.firsts;
    const column = header ? below : [title, ...below];
    const titled = header && NAMES_TITLE.test(title.trim());
    const words =
      below.filter((cell, i) => isWord(cell) || this.quotedFirsts.has(i)).length +
      (!header && (isWord(title) || top.quoted.has(0)) ? 1 : 0);
    if (words > 0) {
      // All cells of the file may be in quotes, which then say nothing.
      const quotes = this.quotedBelow && column.every((cell) => isNumber(cell, this.delimiter));
      if (!quotes) {
        // One word among numbers is a typing error, unless the column has the title of names.
        return { is: titled || 2 * words > column.length, other: false };
      }
    }
    const numbered = header && isWord(title) && countsFrom(titles) === 0;
    const counts = column.length > 1 ? countsFrom(column) : undefined;
    const whole = column.every((cell) => COUNT.test(cell.trim()));
    const counted =
      counts !== undefined && (numbered || (!header && counts === 0 && this.decimals));
    const is = whole && (counted || (titled && (numbered || this.decimals)));
    return { is, other: is || (counts !== undefined && this.decimals) };
  }

  /** Whether the first row is one of names, where the first column is one or not. */
  private headerIn(top: Row, named: boolean): Guess {
    const { delimiter, firsts } = this;
    const from = named ? 1 : 0;
    const cells = top.cells.slice(from);
    const decimals = this.decimals || (!named && firsts.some(hasDecimals));
    const words = cells.filter(isWord).length;
    if (words > 0) {
      // One word among numbers is a typing error, unless the others may be names as well.
      const others = cells.filter((cell) => cell.trim() !== '' && !isWord(cell));
      const mixed = decimals && others.every((cell) => COUNT.test(cell.trim()));
      return { is: others.length === 0 || 2 * words > cells.length || mixed, other: false };
    }
    if (!cells.every((cell) => isNumber(cell, delimiter))) return { is: false, other: false };
    const quoted = cells.length > 0 && cells.every((_, i) => top.quoted.has(i + from));
    if (quoted && firsts.length > 0 && !this.quotedBelow) return { is: true, other: true };
    const counts = countsFrom(cells);
    if (counts === undefined || firsts.length === 0) return { is: false, other: false };
    const titled = named && NAMES_TITLE.test((top.cells[0] ?? '').trim());
    // Whole numbers too, where the rows below make a square and do not go on counting.
    const square =
      firsts.length === cells.length && cells.length > 2 && firsts[0]?.trim() !== `${cells.length}`;
    return { is: titled || (counts === 0 && (decimals || square)), other: true };
  }

  /** The matrix that the rows make, and which other readings there are. */
  private *made(top: Row, layout: Layout): Generator<void, ImportedMatrix> {
    const { firsts, lines, width } = this;
    const { header, names, titles } = layout;
    const first = header ? 0 : 1;
    const rows = firsts.length + first;
    const from = names ? 1 : 0;
    const cols = width - from;
    if (
      rows === 0 ||
      (firsts.length === 0 && !names && top.cells.every((c) => c.trim() === '' || isWord(c)))
    ) {
      throw new ImportError(say('words_alone', { line: top.line }), WANTED);
    }
    if (rows * cols > MAX_ENTRIES) {
      throw tooMany(lines[Math.floor(MAX_ENTRIES / cols) - first] ?? top.line);
    }
    if (!names && !header && firsts.length > 0 && isWord(top.cells[0] as string)) {
      const at = firsts.findIndex((cell) => isNumber(cell, this.delimiter));
      // Without a row of names, the word is a typing error, and its column must not vanish.
      if (at >= 0 && width > 1) {
        throw new ImportError(
          say('name_then_number', {
            name: clip(top.cells[0] as string),
            line: lines[at] as number,
          }),
          say('numbers_or_names'),
        );
      }
    }
    const data = new Float32Array(rows * cols);
    for (let col = 0; col < cols && !header; col++) {
      data[col] = this.toNumber(top.cells[col + from] as string, {
        line: top.line,
        column: col + from + 1,
      });
      if (col % 512 === 511) yield;
    }
    const rest = width - 1;
    for (let row = 0; row < firsts.length; row++) {
      const at = (row + first) * cols;
      if (!names)
        data[at] = this.toNumber(firsts[row] as string, { line: lines[row] as number, column: 1 });
      data.set(this.data.subarray(row * rest, (row + 1) * rest), at + 1 - from);
      if (row % 64 === 63) yield;
    }
    const notes: Wording[] = [];
    const choices: Choice[] = [];
    const { commas } = this.wanted;
    const tell = (about: Wording, other: Wording | undefined, change: TableReading): void => {
      if (!other) notes.push(about);
      else choices.push({ kind: 'other', about, other, reading: readingOfTable(change) });
    };
    const now: TableReading = { header, names, ...(commas !== undefined && { commas }) };
    const { line } = top;
    if (header || layout.otherHeader) {
      tell(
        say(header ? 'column_names' : 'row_of_numbers', { line }),
        layout.otherHeader ? say(header ? 'read_as_numbers' : 'read_as_column_names') : undefined,
        { ...now, header: !header },
      );
    }
    if (names || layout.otherNames) {
      tell(
        say(names ? 'row_names' : 'column_of_numbers'),
        layout.otherNames ? say(names ? 'read_as_numbers' : 'read_as_row_names') : undefined,
        { ...now, names: !names },
      );
    }
    if (this.wanted.commas) {
      tell(say('decimal_commas'), say('read_as_delimiters'), {});
    } else if (this.mayBeDecimals(top)) {
      tell(say('commas_delimit'), say('read_as_decimal_marks'), { commas: true });
    } else if (this.mark === ',') notes.push(say('decimal_commas'));
    return {
      ...{ rows, cols, data, notes },
      ...(names && { rowLabels: header ? firsts : [top.cells[0] as string, ...firsts] }),
      ...(header && { colLabels: titles }),
      ...(choices.length > 0 && { choices }),
    };
  }

  /** `0,5` in every line is one number to a German and two to a Briton. */
  private mayBeDecimals(top: Row): boolean {
    const whole = (cell: string): boolean => COUNT.test(cell.trim());
    return (
      this.delimiter === ',' &&
      this.width === 2 &&
      !this.decimals &&
      this.firsts.length > 0 &&
      top.cells.every(whole) &&
      this.firsts.every(whole) &&
      this.data.subarray(0, this.firsts.length).every((x) => x >= 0)
    );
  }

  private toNumber(cell: string, place: Place): number {
    if (cell.trim() === '') {
      throw new ImportError(at(place, say('empty_cell')), say('number_each_cell'));
    }
    let text = asciiMinus(cell.trim());
    let mark: '.' | ',' | undefined;
    if (this.delimiter !== ',' && DECIMAL_COMMA.test(text)) {
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

interface Guess {
  readonly is: boolean;
  /** The other reading is possible too. */
  readonly other: boolean;
}

interface Layout {
  readonly header: boolean;
  readonly names: boolean;
  /** The names of the columns, where the first row is one of names. */
  readonly titles: readonly string[];
  readonly otherHeader?: boolean;
  readonly otherNames?: boolean;
}

const tooMany = (line: number): ImportError =>
  new ImportError(
    say('more_entries_at', { most: MAX_ENTRIES, line }),
    say('at_most_entries', { most: MAX_ENTRIES }),
  );

const endsEmpty = ({ cells, quoted }: Row): boolean =>
  cells.length > 1 && cells.at(-1)?.trim() === '' && !quoted.has(cells.length - 1);

/** 0 or 1 where the cells count from there: 0, 1, 2 or 1, 2, 3. */
function countsFrom(cells: readonly string[]): 0 | 1 | undefined {
  const start = cells[0]?.trim();
  if (start !== '0' && start !== '1') return undefined;
  const from = Number(start) as 0 | 1;
  return cells.every((cell, i) => cell.trim() === String(from + i)) ? from : undefined;
}

const hasDecimals = (cell: string): boolean => /[.,]|e-/i.test(cell);

function isNumber(cell: string, delimiter: Delimiter): boolean {
  const text = asciiMinus(cell.trim());
  return (
    NUMBER.test(text) || (delimiter !== ',' && DECIMAL_COMMA.test(text)) || NOT_FINITE.test(text)
  );
}

/** Typeset tables write U+2212. */
function asciiMinus(cell: string): string {
  return cell.replaceAll('−', '-');
}

/** A name, as opposed to a number with a typing error in it, which must be reported. */
function isWord(cell: string): boolean {
  return cell !== '' && !NOT_FINITE.test(cell.trim()) && !/^\s*[+\-−]?[.,]?\d/.test(cell);
}

function clip(cell: string): string {
  return cell.length > 40 ? `${cell.slice(0, 40)}…` : cell;
}
