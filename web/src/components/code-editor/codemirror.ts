/** CodeMirror with what an exercise needs and no more. Loaded when the editor is first focused. */
import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  forceParsing,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  type LRLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  StateEffect,
  StateField,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { render } from 'lit';
import { coded, plain } from '../exercise/prose.ts';
import type { CodeProblem, EditorLanguage } from './code-editor.ts';
import { completion } from './completions.ts';

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly root: ShadowRoot;
  readonly text: string;
  readonly language: EditorLanguage;
  readonly label: string;
  readonly describedBy: string;
  readonly selection: { readonly anchor: number; readonly head: number };
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  /** Returns false when nothing was running: the key may then do something else. */
  readonly onStop: () => boolean;
}

/** Colours are custom properties of the host, so that the theme may change while it is open. */
const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.comment], color: 'var(--muted)', fontStyle: 'italic' },
  {
    tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)],
    color: 'var(--code-name)',
    fontWeight: '600',
  },
  { tag: [tags.meta], color: 'var(--code-keyword)' },
]);

const theme = EditorView.theme({
  '&': { color: 'var(--ink)', background: 'transparent', maxHeight: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'inherit', lineHeight: 'inherit', overflow: 'auto' },
  '.cm-content': { padding: '0.6rem 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 0.75rem 0 0.5rem' },
  '.cm-gutters': {
    background: 'var(--field)',
    color: 'var(--muted)',
    border: '0',
    borderRight: '1px solid var(--rule)',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.4rem', padding: '0 0.5rem 0 0' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': { background: 'var(--wash)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    { background: 'var(--code-selection)' },
  '&.cm-focused .cm-matchingBracket': {
    background: 'none',
    outline: '1px solid var(--edge)',
  },
  '.cm-lintRange-error': {
    background: 'none',
    textDecoration: 'underline wavy var(--error) 1.5px',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    color: 'var(--ink)',
    background: 'var(--field)',
    border: '1px solid var(--edge)',
    font: 'var(--step--1) / 1.45 var(--sans)',
    maxWidth: '30rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'inherit',
    maxHeight: '12rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.2rem 0.6rem' },
  // On a phone it would cover the names.
  '.cm-completionInfo-left-narrow, .cm-completionInfo-right-narrow': { display: 'none' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--paper)',
    background: 'var(--accent)',
  },
  '.cm-told': {
    padding: '0.15rem 0.75rem 0.3rem 0.5rem',
    color: 'var(--error)',
    font: 'var(--step--1) / 1.4 var(--sans)',
    whiteSpace: 'normal',
    // A message stays in the window also where the code is wider.
    position: 'sticky',
    left: '3rem',
    maxWidth: 'min(100cqw - 3rem, 38rem)',
    boxSizing: 'border-box',
  },
  '.cm-diagnostic': { padding: '0.4rem 0.7rem', borderLeft: '3px solid var(--error)' },
});

/**
 * Text typed over a selection replaces it here. Left to the browser, Chromium would give the new text the colours of
 * the old in a style attribute, which a policy of `style-src 'self'` forbids.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { from, to, empty } = view.state.selection.main;
    const text = event.data;
    if (event.inputType !== 'insertText' || text === null || empty || view.composing) return false;
    if (view.state.readOnly) return true;
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), {
        userEvent: 'input.type',
        scrollIntoView: true,
      });
    const handled = view.state
      .facet(EditorView.inputHandler)
      .some((handler) => handler(view, from, to, text, insert));
    if (!handled) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});

function messageOf(message: string): HTMLElement {
  const said = document.createElement('div');
  render(coded(message), said);
  return said;
}

/** What is wrong with a line, below it: a mark alone says so only to a pointer that rests on it. */
class Told extends WidgetType {
  constructor(readonly message: string) {
    super();
  }
  override eq({ message }: Told): boolean {
    return message === this.message;
  }
  override toDOM(): HTMLElement {
    const said = messageOf(this.message);
    said.className = 'cm-told';
    return said;
  }
  override get estimatedHeight(): number {
    return 24;
  }
}
const tellLines = StateEffect.define<DecorationSet>();
const toldLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (now, { changes, effects }) =>
    effects.reduce((set, effect) => (effect.is(tellLines) ? effect.value : set), now.map(changes)),
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Enter indents by the syntax tree. CodeMirror spends 20 ms on the tree after each key and indents nothing where the
 * tree ends before the cursor, so on a busy machine the body of a function lost its indentation. A text of this length
 * needs far less than a second.
 */
const parseBeforeEnter = {
  key: 'Enter',
  run: (view: EditorView) => {
    forceParsing(view, view.state.selection.main.to, 1000);
    return false;
  },
};

/** The page itself set this text, so no event tells the page about it. */
const fromOutside = Annotation.define<boolean>();

export async function languageOf(language: EditorLanguage): Promise<LRLanguage> {
  // Only the grammars are imported: the languages' own completion is not used and would be downloaded too.
  return language === 'python'
    ? (await import('@codemirror/lang-python')).pythonLanguage
    : (await import('@codemirror/lang-javascript')).javascriptLanguage;
}

const indentOf = (language: EditorLanguage): string => (language === 'python' ? '    ' : '  ');

export class Editor {
  private readonly writable = new Compartment();

  private constructor(
    private readonly view: EditorView,
    private readonly extensions: Extension,
  ) {}

  static async make(options: () => EditorOptions, language: EditorLanguage): Promise<Editor> {
    const parser = await languageOf(language);
    const { parent, root, text, label, describedBy, selection, ...rest } = options();
    const { onChange, onRun, onStop, readOnly } = rest;
    const run = {
      run: () => {
        onRun();
        return true;
      },
      preventDefault: true,
    };
    const stop = { run: onStop };
    const writable = new Compartment();
    const extensions = [
      keymap.of([
        { key: 'Mod-Enter', ...run },
        { key: 'Mod-.', ...stop, preventDefault: true },
        // An open list takes Escape, the arrows and Enter first.
        ...completionKeymap,
        { key: 'Escape', ...stop },
        indentWithTab,
        parseBeforeEnter,
        ...defaultKeymap,
        ...historyKeymap,
      ]),
      lineNumbers(),
      highlightSpecialChars(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      completion(language),
      indentUnit.of(indentOf(language)),
      EditorState.tabSize.of(4),
      parser,
      syntaxHighlighting(highlight),
      theme,
      typeOverSelection,
      toldLines,
      writable.of(EditorState.readOnly.of(readOnly)),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-describedby': describedBy,
        spellcheck: 'false',
        autocapitalize: 'off',
        autocorrect: 'off',
      }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        const told = transactions.some((one) => one.annotation(fromOutside));
        if (docChanged && !told) onChange(state.doc.toString());
      }),
    ];
    const state = EditorState.create({
      doc: text,
      selection: { anchor: clamp(selection.anchor, text), head: clamp(selection.head, text) },
      extensions,
    });
    return new Editor(new EditorView({ state, parent, root }), extensions);
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** The replacement is one step, which one Undo takes back. */
  setText(text: string): void {
    const { doc } = this.view.state;
    if (doc.toString() === text) return;
    this.view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      selection: { anchor: Math.min(this.view.state.selection.main.anchor, text.length) },
      annotations: fromOutside.of(true),
    });
  }

  /** Another document gets a history of its own. */
  replaceDocument(text: string): void {
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
  }

  setReadOnly(readOnly: boolean): void {
    this.view.dispatch({
      effects: this.writable.reconfigure(EditorState.readOnly.of(readOnly)),
    });
  }

  setProblems(problems: readonly CodeProblem[]): void {
    const { state } = this.view;
    const diagnostics = problems.flatMap(({ line, column, message }) => {
      if (line < 1 || line > state.doc.lines) return [];
      const { from, to, text } = state.doc.line(line);
      const start = from + Math.min(text.length, column ? column - 1 : text.search(/\S|$/));
      // An empty range would be invisible, so at least one character is marked.
      return [
        {
          ...{ from: Math.min(start, Math.max(from, to - 1)), to, severity: 'error' as const },
          message: plain(message),
          renderMessage: () => messageOf(message),
        },
      ];
    });
    const told = problems
      .filter(({ line }) => line >= 1 && line <= state.doc.lines)
      .map(({ line, message }) =>
        Decoration.widget({ widget: new Told(message), block: true, side: 1 }).range(
          state.doc.line(line).to,
        ),
      );
    this.view.dispatch(setDiagnostics(state, diagnostics), {
      effects: tellLines.of(Decoration.set(told, true)),
    });
  }

  goTo(line: number, column = 1): void {
    const { doc } = this.view.state;
    const { from, length } = doc.line(Math.max(1, Math.min(doc.lines, line)));
    this.view.dispatch({
      selection: { anchor: from + Math.min(length, Math.max(0, column - 1)) },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }
}

const clamp = (at: number, text: string): number => Math.max(0, Math.min(text.length, at));
