/** What all exercises of a page share: the core, the array engine, one sandbox. */
import type { Client } from '#client';
import { Arrays } from '#client/arrays';
import { theCore } from '../../core.ts';
import { type RandomSource, randomOf } from '../../exercises/judge/inputs.ts';
import { engineBytes } from '../../exercises/sandbox/assets.ts';
import { createSandbox } from '../../exercises/sandbox/sandbox.ts';
import type { Phase, RunnableLanguage, Sandbox } from '../../exercises/sandbox/types.ts';

export interface Tools {
  readonly core: Client;
  readonly arrays: Arrays;
  readonly random: RandomSource;
}

let tools: Promise<Tools> | undefined;

/** Fetched with the first picture or run; asked for again after a failure. */
export function theTools(): Promise<Tools> {
  tools ??= (async () => {
    const core = theCore('full');
    core.preload();
    const arrays = await Arrays.load(await engineBytes());
    return { core, arrays, random: randomOf(arrays) };
  })().catch((error: unknown) => {
    tools = undefined;
    throw error;
  });
  return tools;
}

type PhaseListener = (phase: Phase, language: RunnableLanguage) => void;
const phases = new Set<PhaseListener>();
let sandbox: Sandbox | undefined;

export function theSandbox(): Sandbox {
  sandbox ??= createSandbox({
    onPhase: (phase, language) => {
      for (const listener of phases) listener(phase, language);
    },
  });
  return sandbox;
}

/** Whatever computes for the exercises begins anew: what runs the code, and the core if it was needed. */
export function restartAll(): void {
  theSandbox().restart();
  void tools?.then(
    ({ core }) => core.restart(),
    () => undefined,
  );
}

export function onPhase(listener: PhaseListener): () => void {
  phases.add(listener);
  return () => phases.delete(listener);
}
