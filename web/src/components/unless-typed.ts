import { noChange } from 'lit';
import {
  type AttributePart,
  Directive,
  type DirectiveParameters,
  directive,
} from 'lit/directive.js';
import { setCommittedValue } from 'lit/directive-helpers.js';

class UnlessTyped extends Directive {
  private typing = false;
  private field: HTMLInputElement | undefined;

  render(value: string): string {
    return value;
  }

  override update(
    part: AttributePart,
    [value]: DirectiveParameters<this>,
  ): string | typeof noChange {
    this.field ??= this.listen(part.element as HTMLInputElement);
    if (this.typing || this.field.value === value) return noChange;
    // Lit compares with what it set last, which is no longer what stands in the field.
    setCommittedValue(part);
    return value;
  }

  private listen(field: HTMLInputElement): HTMLInputElement {
    const end = (): void => {
      this.typing = false;
    };
    field.addEventListener('input', () => {
      this.typing = true;
    });
    // Before the listeners of the field itself, which may update the page.
    field.addEventListener('change', end, { capture: true });
    field.addEventListener('blur', end);
    return field;
  }
}

/**
 * The value of a field that answers to `change`. While somebody types, an update of the page for another reason leaves
 * the field alone; otherwise the field shows the value, whatever stood in it.
 */
export const unlessTyped = directive(UnlessTyped);
