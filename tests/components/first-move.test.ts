import { describe, expect, it, vi } from 'vitest';
import { onFirstMove } from '../../web/src/state/first-move';

/** What a browser says of the pointer. */
const pointer = (movementX: number, movementY: number): void => {
  document.body.dispatchEvent(
    new PointerEvent('pointermove', { bubbles: true, movementX, movementY }),
  );
};

describe('the first move', () => {
  it('is none where a page appears under a pointer that rests', () => {
    const act = vi.fn();
    const stop = onFirstMove(act);
    pointer(0, 0);
    expect(act).not.toHaveBeenCalled();
    pointer(0, 1);
    expect(act).toHaveBeenCalledOnce();
    pointer(1, 0);
    expect(act).toHaveBeenCalledOnce();
    stop();
  });

  it('is a key too, and none once nobody waits for it', () => {
    const [act, never] = [vi.fn(), vi.fn()];
    onFirstMove(act);
    onFirstMove(never)();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, key: 'Tab' }));
    expect(act).toHaveBeenCalledOnce();
    expect(never).not.toHaveBeenCalled();
  });
});
