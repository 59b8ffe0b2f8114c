/** Prints a lab from its first line to its last, wherever the reader is: what is not loaded yet is loaded first. */
import { html, render } from 'lit';
import { shellWords } from '../words/index.ts';
import { loadWhole } from './load-for-print.ts';

export async function printWhole(): Promise<void> {
  const lab = document.querySelector('attn-lab');
  if (!lab || document.querySelector('.print-note')) return;
  const said = shellWords.now.summary;
  const abort = new AbortController();
  const note = document.createElement('p');
  note.className = 'place-note print-note';
  note.setAttribute('role', 'status');
  document.body.append(note);
  const show = (text: string): void => {
    render(
      html`<span>${text}</span>
        <button class="plain" type="button" @click=${() => abort.abort()}>${said.stop}</button>`,
      note,
    );
  };
  show(said.drawing);
  await loadWhole(lab, abort.signal, (done, of) =>
    show(done < of ? said.loading(done, of) : said.drawing),
  );
  note.remove();
  if (!abort.signal.aborted) window.print();
}
