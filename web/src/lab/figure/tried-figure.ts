/** What every figure that asks the core has in common: the questions one after the other, and the tries. */
import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { language } from '../../strings/language.ts';
import type { Knobs } from '../page/url-store.ts';
import type { FigurePlace, KnobValues } from '../types';
import { focusIn, keepFocusIn } from './figure-messages.ts';
import { figureWords } from './figure-words.ts';

/** What a button under "Try this" sets for a while. The reader's own knobs stay as they are. */
export interface Try {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** The knob that the try changes; the others stay as the reader has set them. */
  readonly values: KnobValues;
  /** A question asks about these values, and all other knobs have their defaults. */
  readonly asked?: boolean;
}

/** What is said of a knob that is there and that the link does not let anyone turn. */
export const lockedNote = (): TemplateResult =>
  html`<p class="fine locked-note" lang=${language}>${figureWords.locked}</p>`;

/**
 * An element that asks one question at a time, always the newest: while a knob is dragged each answer is drawn, and
 * what was asked meanwhile is asked once, with the last values.
 */
export abstract class AskingElement extends LitElement {
  private loop: Promise<void> | undefined;
  private wanted = 0;

  /** Asks with the values as they are now. It handles its own errors. */
  protected abstract ask(): Promise<void>;
  /** Whether there is an answer to draw. */
  protected abstract readonly answered: boolean;

  /**
   * `data-drawn` tells whoever waits for the picture that the answer is rendered. A canvas that is filled later has
   * one pixel until then.
   */
  protected override update(changed: PropertyValues): void {
    const focused = focusIn(this);
    super.update(changed);
    keepFocusIn(focused);
    this.toggleAttribute('data-drawn', this.answered);
  }

  protected refresh(): void {
    this.wanted++;
    this.loop ??= this.work().finally(() => {
      this.loop = undefined;
    });
  }

  private async work(): Promise<void> {
    for (let done = -1; done !== this.wanted && this.isConnected; ) {
      done = this.wanted;
      await this.ask();
    }
  }
}

/** A figure of a lab whose knobs a button can set for a while. `Values` are the values of its knobs. */
export abstract class TriedFigure<Values> extends AskingElement {
  abstract place: FigurePlace | undefined;
  /** Called when a try begins or ends. */
  onTry: (() => void) | undefined;

  @state() protected trying: (Try & { readonly set: Values }) | undefined;
  /** What the tries that are on begin with, where that is what a question showed and not the reader's own values. */
  private askedAbout: Values | undefined;
  /** The reader's own knobs; undefined until the figure is connected. */
  protected knobs: Knobs<Values> | undefined;

  /** The values are others: those of a try that has begun, or the reader's own again. */
  protected abstract onValues(): void;
  /** A try begins: what was said about the values before no longer holds. */
  protected abstract beforeTry(): void;

  /** Says that the author of the page's link keeps these knobs as they are. */
  protected abstract refuse(keys: readonly string[]): void;

  /** The id of the try that is on. */
  get tried(): string | undefined {
    return this.trying?.id;
  }

  /**
   * Shows a try, or leaves it if it is on. Nothing scrolls, and the link stays the reader's own. A try that sets a knob
   * which the link fixes would not show what its words say, so nothing is tried; returns those knobs, by their keys.
   */
  tryOut(one: Try): readonly string[] {
    if (this.trying?.id === one.id) {
      this.leaveTry();
      return [];
    }
    const { knobs } = this;
    if (!knobs) return [];
    const refused = knobs.refused(one.values as Partial<Values>);
    if (refused.length > 0) {
      this.leaveTry();
      this.refuse(refused);
      return refused;
    }
    this.beforeTry();
    // A try changes one knob of what is on the screen.
    if (this.trying?.asked) this.askedAbout = this.trying.set;
    if (one.asked) this.askedAbout = undefined;
    const from = one.asked ? knobs.defaults : (this.askedAbout ?? knobs.values);
    const wanted = knobs.fitted({ ...from, ...one.values } as Values);
    this.trying = { ...one, set: knobs.kept(wanted) };
    this.onTry?.();
    this.onValues();
    return [];
  }

  /** Returns to the reader's own knobs. */
  leaveTry(): void {
    if (!this.trying) return;
    this.endTry();
    this.onValues();
  }

  protected endTry(): void {
    if (!this.trying) return;
    this.trying = undefined;
    this.askedAbout = undefined;
    this.onTry?.();
  }

  /** What was on the screen before the try that is on. */
  protected get begunFrom(): Values | undefined {
    return this.askedAbout ?? this.knobs?.values;
  }

  /** Whether a try shows another value of a knob than was there before it. */
  protected changed(name: keyof Values): boolean {
    return this.trying !== undefined && this.trying.set[name] !== this.begunFrom?.[name];
  }

  /** For the numbers in the prose, which show values of knobs. */
  protected tellKnobs(): void {
    const { id } = this.place ?? {};
    this.dispatchEvent(new CustomEvent('attn-figure-knobs', { detail: id, bubbles: true }));
  }
}
