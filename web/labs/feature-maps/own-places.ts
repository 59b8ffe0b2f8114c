/** The places for the visitor's own Q, K and V. They are loaded when they are first wanted. */
import { html, nothing, type TemplateResult } from 'lit';
import '../../src/components/matrix-input/matrix-input.ts';
import { type NamedMatrix, namedMatrix } from '../../src/components/matrix-input/named-matrix.ts';
import { rich } from '../../src/components/rich-text/rich-text.ts';
import { memberFor, readingOfArray } from '../../src/import/reading.ts';
import { laterWords } from '../../src/strings/later.ts';
import { LETTERS } from './link-state.ts';
import type { Letter, Own } from './own-matrices.ts';

export interface OwnPlaces {
  readonly own: {
    readonly matrices: Own;
    readonly missing: readonly Letter[];
    readonly notKept: string;
    refuse(letter: Letter, refused: boolean): void;
  };
  readonly disabled: boolean;
  /** What is wrong with a matrix; empty for nothing. */
  readonly errorFor: (letter: Letter) => string;
  readonly take: (letter: Letter, value: NamedMatrix | undefined) => Promise<void>;
  readonly save: (letter: Letter) => void;
}

/** Takes a matrix. Arrays of the same archive that are called as other letters are go to those, where nothing is yet. */
async function takeAll(
  { own, take }: Pick<OwnPlaces, 'own' | 'take'>,
  letter: Letter,
  value: NamedMatrix | undefined,
): Promise<void> {
  await take(letter, value);
  const archive = value?.choices?.find((choice) => choice.kind === 'member');
  if (!value?.source || archive?.kind !== 'member') return;
  for (const other of own.missing) {
    const member = memberFor(archive.members, other);
    if (member === undefined || member === archive.member) continue;
    const reading = readingOfArray({ member, at: [] });
    // What cannot be read is said where somebody asks for it.
    const found = await namedMatrix(value.source, value.name, { reading, letter: other }).catch(
      () => undefined,
    );
    if (found && own.missing.includes(other)) await take(other, found);
  }
}

export function ownPlaces({ own, disabled, errorFor, take, save }: OwnPlaces): TemplateResult {
  const words = laterWords.matrix;
  const { missing, matrices, notKept } = own;
  const letters = missing.map((letter) => letter.toUpperCase());
  return html`${LETTERS.map(
    (letter) => html`<attn-matrix-input
        .letter=${letter.toUpperCase()}
        .meaning=${words.letters[letter]}
        .value=${matrices[letter]}
        .error=${errorFor(letter)}
        ?disabled=${disabled}
        @attn-matrix=${({ detail }: CustomEvent<NamedMatrix | undefined>) =>
          void takeAll({ own, take }, letter, detail)}
        @attn-matrix-refused=${({ detail }: CustomEvent<boolean>) => own.refuse(letter, detail)}
        @attn-matrix-save=${() => save(letter)}
      ></attn-matrix-input>`,
  )}
    <p class="fine">
      ${letters.length > 0 ? html`<strong>${words.ownMissing(letters)}</strong> ` : nothing}
      ${rich(words.ownNote)}
    </p>
    <p class="fine" role="status"><strong>${notKept}</strong></p>`;
}
