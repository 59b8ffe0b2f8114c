import { makeOperations } from '../operations';
import { trickNames } from './names';
import type { RawTrick } from './raw';

export const trickOperations = makeOperations<RawTrick>(trickNames, {});
