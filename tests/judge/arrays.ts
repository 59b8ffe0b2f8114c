/** The array engine under Node. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Arrays } from '../../wasm/client/arrays';

const file = new URL('../../build/wasm/simd/arrays.wasm', import.meta.url);

export const openArrays = () => Arrays.load(readFileSync(fileURLToPath(file)));
