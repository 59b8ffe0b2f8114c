/** What all exercises of a page share: the core, the array engine, one sandbox. */
import { Arrays } from '#client/arrays';
import { createFullClient, type FullClient } from '#client/full';
import { type RandomSource, randomOf } from '../../exercises/judge/inputs.ts';
import { createSandbox } from '../../exercises/sandbox/sandbox.ts';
import type { Phase, RunnableLanguage, Sandbox } from '../../exercises/sandbox/types.ts';

export interface Tools {
  readonly core: FullClient;
  readonly arrays: Arrays;
  readonly random: RandomSource;
}

const builds = import.meta.glob<string>('../../../../build/wasm/{simd,scalar}/arrays.wasm', {
  query: '?url',
  import: 'default',
  eager: true,
});

async function loadArrays(build: string | undefined): Promise<Arrays> {
  const wanted = build === 'scalar' ? 'scalar' : 'simd';
  const paths = Object.keys(builds);
  const path = paths.find((name) => name.includes(`/${wanted}/`)) ?? paths[0];
  const address = path && builds[path];
  if (!address) throw new Error('this site was built without the array engine');
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} for ${address}`);
  return Arrays.load(await response.arrayBuffer());
}

let tools: Promise<Tools> | undefined;

/** Fetched with the first picture or run; asked for again after a failure. */
export function theTools(): Promise<Tools> {
  tools ??= (async () => {
    const core = createFullClient();
    try {
      const arrays = await loadArrays(core.build);
      return { core, arrays, random: randomOf(arrays) };
    } catch (error) {
      core.dispose();
      throw error;
    }
  })().catch((error: unknown) => {
    tools = undefined;
    throw error;
  });
  return tools;
}

type PhaseListener = (phase: Phase, language: RunnableLanguage) => void;
const phases = new Set<PhaseListener>();
let sandbox: Sandbox | undefined;
let typed = true;

/** Whether what is run next was typed here, or came with a link or a file. */
export function setTyped(was: boolean): void {
  typed = was;
}

export function theSandbox(): Sandbox {
  sandbox ??= createSandbox({
    isTyped: () => typed,
    onPhase: (phase, language) => {
      for (const listener of phases) listener(phase, language);
    },
  });
  return sandbox;
}

export function onPhase(listener: PhaseListener): () => void {
  phases.add(listener);
  return () => phases.delete(listener);
}
