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
  /** The id of `matrices`, as the address has it; undefined before they were first wanted. */
  private id: string | undefined;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly figure: {
      /** The id that the address names. */
      readonly idOfOwn: () => string;
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
      this.id = this.figure.idOfOwn();
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
    const id = this.figure.idOfOwn();
    if (this.id !== id) {
      const before = this.id;
      this.id = id;
      this.reading = this.read(id, before === undefined).catch((error: unknown) => {
        // What did not arrive is read when it is wanted the next time.
        if (this.id === id) this.id = before;
        throw error;
      });
    }
    return this.reading;
  }

  private async read(id: string, first: boolean): Promise<void> {
    const { turn } = this;
    const { keptOwn, lost } = await work();
    const kept = await keptOwn(id);
    if (!kept) this.figure.say(lost());
    // A matrix that was dropped meanwhile is newer and stays.
    this.matrices = first || turn !== this.turn ? { ...kept, ...this.matrices } : (kept ?? {});
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

  /** Keeps the matrices as they are now; `name` is told the id that the address is to have. */
  async keep(name: (id: string) => void): Promise<void> {
    await this.stored();
    const { idOfOwn, keepOwn } = await work();
    const { matrices } = this;
    const id = await idOfOwn(matrices);
    // A matrix that came meanwhile keeps the set that it belongs to.
    if (matrices !== this.matrices) return;
    this.id = id;
    name(id);
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
