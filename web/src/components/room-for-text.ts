/**
 * The most characters that a field of several lines takes. A browser breaks a text into lines on the page's own thread,
 * in a time that grows faster than the text: Chromium needs 0.1 s for 100,000 characters and 25 s for two million.
 */
const ROOM_FOR_TEXT = 100_000;

/**
 * For a field's `beforeinput`: keeps out what would make the field's text longer than `most`, so that the page stays
 * alive and the field keeps what it holds.
 *
 * @returns the length that the text would have had, or `undefined` where it has room
 */
export function keepOut(event: InputEvent, most: number = ROOM_FOR_TEXT): number | undefined {
  const field = event.target as HTMLTextAreaElement;
  // Chromium, Firefox and Safari give a pasted or dropped text as `data` here; a rich-text editor's is elsewhere.
  const added = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
  // What is deleted or undone adds nothing.
  if (added === '') return undefined;
  const length = field.value.length - (field.selectionEnd - field.selectionStart) + added.length;
  if (length <= most) return undefined;
  event.preventDefault();
  return length;
}
