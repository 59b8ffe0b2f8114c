/** Shows one element on a page of its own. */
import axe from 'axe-core';
import type { LitElement } from 'lit';
import { commands } from 'vitest/browser';

/** Shows an element with these properties, and waits until it has drawn. */
export async function show<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  width = 420,
): Promise<HTMLElementTagNameMap[Name]> {
  const element = document.createElement(name);
  Object.assign(element, properties);
  const place = document.createElement('main');
  place.style.width = `${width}px`;
  place.append(element);
  document.body.replaceChildren(place);
  await settled(element);
  return element;
}

/** Waits until an element has drawn everything and nothing in it moves: two more frames. */
export async function settled(element: Element): Promise<void> {
  await (element as unknown as LitElement).updateComplete;
  for (let frame = 0; frame < 2; frame++) {
    await new Promise((drawn) => requestAnimationFrame(drawn));
  }
}

/** Within an element's shadow, or within the element where it has none. */
export const inside = <T extends Element = HTMLElement>(of: Element, selector: string): T => {
  const found = (of.shadowRoot ?? of).querySelector<T>(selector);
  if (!found) throw new Error(`${of.tagName.toLowerCase()} has no ${selector}`);
  return found;
};
export const all = <T extends Element = HTMLElement>(of: Element, selector: string): T[] => [
  ...(of.shadowRoot ?? of).querySelectorAll<T>(selector),
];
export const textOf = (element: Element | null | undefined): string =>
  (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

/** Collects the details of an element's events. */
export function details<T>(of: EventTarget, name: string): T[] {
  const seen: T[] = [];
  of.addEventListener(name, (event) => seen.push((event as CustomEvent<T>).detail));
  return seen;
}

/** What axe finds wrong with the element, for rules that are not about a whole page. */
export async function violations(element: Element): Promise<string[]> {
  const { violations: found } = await axe.run(element.parentElement ?? element, {
    rules: { region: { enabled: false } },
  });
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => html).join('\n')}`,
  );
}

const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: 'light', forcedColors: 'active' },
} as const;

/** Runs `use` in every look of the page (light, dark and so on), and sets the light look again afterwards. */
export async function inEveryLook(use: (look: string) => Promise<void>): Promise<void> {
  try {
    for (const [name, media] of Object.entries(looks)) {
      await commands.emulateMedia(media);
      await use(name);
    }
  } finally {
    await commands.emulateMedia(looks.light);
  }
}
