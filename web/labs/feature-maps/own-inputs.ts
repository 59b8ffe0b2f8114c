/** The visitor's own Q, K and V as the first figure has them: where they come from, and what is wrong with them. */
import type { NamedMatrix } from '../../src/components/matrix-input/matrix-input.ts';
import { strings } from '../../src/strings/index.ts';
import { LETTERS, MAX_ROWS } from './link-state.ts';
import type { Letter, Own } from './own-matrices.ts';

/** Few visitors bring matrices, so what reads and keeps them is loaded when it is first wanted. */
const work = () => import('./own-matrices.ts');
/** The places for the files. */
const places = () => import('./own-places.ts');

export class OwnInputs {
  matrices: Own = {};
  /** Why the matrices are not kept; empty while they are. */
  notKept = '';
  /** Draws the places for the files, once they are wanted. */
  draw: typeof import('./own-places.ts').ownPlaces | undefined;
  /** Whose newest file could not be read. */
  refused: readonly Letter[] = [];
  /** Grows with every change of the matrices. */
  turn = 0;
  /** The id of `matrices` and how they were read, as the address has it; undefined before they were first wanted. */
  private id: string | undefined;
  private pick = '';
  private reading: Promise<void> = Promise.resolve();
  /** The names of these matrices: the same objects as long as nothing changed, so that nothing is drawn again. */
  private named:
    | {
        readonly of: Own;
        readonly tokens: readonly string[];
        readonly keys: readonly string[];
      }
    | undefined;

  constructor(
    private readonly figure: {
      /** The id that the address names, and how the files are read. */
      readonly named: () => { readonly own: string; readonly pick: string };
      /** Says something that can be dismissed. */
      readonly say: (text: string) => void;
      readonly changed: () => void;
    },
  ) {}

  /** Reads the matrices that a link holds; they come before those that the browser keeps. */
  async ofLink(): Promise<void> {
    const packed = new URLSearchParams(location.hash.slice(1)).get('m');
    if (!packed) return;
    const { own, problem } = await (await work()).ownOfLink(packed);
    if (own) {
      this.matrices = own;
      const { own: id, pick } = this.figure.named();
      this.id = id;
      this.pick = pick;
    } else this.figure.say(problem);
  }

  /** Brings what is needed: the places for files, and the matrices that the address names, or else those kept last. */
  async load(): Promise<void> {
    const drawn = places().then(({ ownPlaces }) => {
      if (this.draw) return;
      this.draw = ownPlaces;
      this.figure.changed();
    });
    await Promise.all([drawn, this.stored()]);
  }

  private stored(): Promise<void> {
    const { own: id, pick } = this.figure.named();
    if (this.id !== id || this.pick !== pick) {
      const before = { id: this.id, pick: this.pick };
      this.id = id;
      this.pick = pick;
      this.reading = this.read(id, pick, before.id).catch((error: unknown) => {
        // What did not arrive is read when it is wanted the next time.
        if (this.id === id && this.pick === pick) Object.assign(this, before);
        throw error;
      });
    }
    return this.reading;
  }

  private async read(id: string, pick: string, before: string | undefined): Promise<void> {
    const { turn } = this;
    const { keptOwn, picked, lost } = await work();
    const kept = before === id ? this.matrices : await keptOwn(id);
    const read = kept && (await picked(kept, pick));
    if (!read) this.figure.say(lost());
    const found = read ?? kept;
    // A matrix that was dropped meanwhile is newer and stays.
    const first = before === undefined;
    this.matrices = first || turn !== this.turn ? { ...found, ...this.matrices } : (found ?? {});
    this.turn++;
    this.figure.changed();
  }

  /** Takes one matrix, or takes it away. */
  put(letter: Letter, value: NamedMatrix | undefined): void {
    const { [letter]: _, ...rest } = this.matrices;
    this.matrices = value ? { ...rest, [letter]: value } : rest;
    this.turn++;
    // The visitor has replaced the matrices of the link, so the matrices are taken out of the link.
    if (location.hash) history.replaceState(history.state, '', location.pathname + location.search);
    this.figure.changed();
  }

  /** Keeps the matrices as they are now; `name` is told what the address is to have. */
  async keep(
    name: (named: { readonly own: string; readonly pick: string }) => void,
  ): Promise<void> {
    await this.stored();
    const { idOfOwn, keepOwn, pickOf } = await work();
    const { matrices } = this;
    const id = await idOfOwn(matrices);
    // A matrix that came meanwhile keeps the set that it belongs to.
    if (matrices !== this.matrices) return;
    this.id = id;
    this.pick = pickOf(matrices);
    name({ own: id, pick: this.pick });
    this.notKept = await keepOwn(id, matrices);
    this.figure.changed();
  }

  refuse(letter: Letter, refused: boolean): void {
    const others = this.refused.filter((one) => one !== letter);
    this.refused = refused ? [...others, letter] : others;
    this.figure.changed();
  }

  forgetRefused(): void {
    this.refused = [];
  }

  /** What the rows and columns of weights are called: the rows of Q and of K, or of V. Undefined without names. */
  get names():
    | { readonly tokens: readonly string[]; readonly keys: readonly string[] }
    | undefined {
    const { q, k, v } = this.matrices;
    const [rows, cols] = [q?.rowLabels, k?.rowLabels ?? v?.rowLabels];
    if (!q || !k || (!rows && !cols)) return undefined;
    const { named } = this;
    const counted = ({ matrix }: NamedMatrix): readonly string[] =>
      Array.from({ length: matrix.rows }, (_, i) => `${i + 1}`);
    if (named?.of !== this.matrices) {
      this.named = { of: this.matrices, tokens: rows ?? counted(q), keys: cols ?? counted(k) };
    }
    return this.named;
  }

  get missing(): readonly Letter[] {
    return LETTERS.filter((letter) => !this.matrices[letter]);
  }

  /** The matrix that is too large to draw, and what to say of it. */
  get tooLarge(): { readonly at: Letter; readonly message: string } | undefined {
    for (const at of LETTERS) {
      const rows = this.matrices[at]?.matrix.rows ?? 0;
      if (rows > MAX_ROWS) return { at, message: strings.lab.tooLarge(rows, MAX_ROWS) };
    }
    return undefined;
  }
}
