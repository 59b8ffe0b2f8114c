import { html, type TemplateResult } from 'lit';
import { starterCpp } from '../../exercises/judge/starter-cpp.ts';
import type { Exercise } from '../../exercises/types';
import { exercises } from '../../strings/exercises.ts';
import { cppParts } from './cpp-highlighting.ts';
import { prose } from './prose.ts';

/** The options of `npm run exercise -- <id>`. */
const commands = ['run', 'watch', 'hint', 'solution', 'reset', 'list'] as const;

const lineOf = (command: (typeof commands)[number], id: string): string => {
  if (command === 'list') return 'npm run exercise';
  return `npm run exercise -- ${id}${command === 'run' ? '' : ` --${command}`}`;
};

/**
 * An exercise in C++: what to run on one's own machine, and the file that is there to be written. That
 * file is English in every language of the page, as it is in the folder.
 */
export function renderCpp(
  specification: Exercise,
  heading: (text: string) => TemplateResult,
  status: string,
  say: (status: string) => void,
): TemplateResult {
  const texts = exercises.run.cpp;
  const { id } = specification;
  const command = lineOf('run', id);
  const path = `tests/exercises/${id}/${id}.hpp`;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(command);
      say(texts.copied);
    } catch {
      say(texts.notCopied);
    }
  };
  return html`<div class="cpp">
    <p>${texts.native}</p>
    <div class="command">
      <pre tabindex="0" role="region" aria-label=${texts.command}>${command}</pre>
      <button class="button" type="button" @click=${copy}>${texts.copy}</button>
    </div>
    <p class="status" role="status">${status}</p>
    <p>${texts.first}</p>
    ${heading(texts.commandsTitle)}
    <dl class="signature">
      ${commands.map(
        (one) => html`<div>
          <dt><code>${lineOf(one, id)}</code></dt>
          <dd>${prose(texts.commands[one])}</dd>
        </div>`,
      )}
    </dl>
    <p class="fine">${prose(texts.progress)}</p>
    ${heading(texts.file)}
    <p>${prose((specification.given ? texts.fileGiven : texts.fileNote)(path))}</p>
    <pre class="stub" lang="en" translate="no" tabindex="0" role="region" aria-label=${path}>${cppParts(
      starterCpp(specification),
    ).map(({ kind, text }) =>
      kind ? html`<span class="code-${kind}">${text}</span>` : text,
    )}</pre>
  </div>`;
}
