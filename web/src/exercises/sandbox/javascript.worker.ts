/** The first part of the script that runs a student's JavaScript. The student's file is the second part. */

import { Arrays } from '#client/arrays';
import { createJavaScript, multiplyBy } from '../javascript/runtime';
import { hook } from '../javascript/student-script';
import { serve } from './worker';

type File = (tick: () => void, made: <T>(array: T) => T) => unknown;
let file: File = () => undefined;

Object.defineProperty(self, hook, {
  configurable: true,
  value: (given: File) => {
    file = given;
    Reflect.deleteProperty(self, hook);
  },
});

serve(async ({ arrays, memoryBytes, before = 0, lines = 0, countEntries = false }, hooks) => {
  const engine = await Arrays.load(arrays);
  const runtime = createJavaScript({
    file,
    place: { script: 'blob:', before, lines },
    hooks,
    memoryBytes,
    countEntries,
    realms: () => [self],
    multiply: multiplyBy(engine),
  });
  for (const [name, value] of Object.entries(runtime.globals)) {
    Object.defineProperty(self, name, { configurable: true, writable: true, value });
  }
  return runtime;
});
