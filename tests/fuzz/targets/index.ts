import type { Target } from '../target';
import { code } from './code';
import { files } from './files';
import { addresses } from './links';
import { work } from './work';

/** All parts of the page that read untrusted input. The targets for C++ are in tests/fuzz/native. */
export const targets: readonly Target[] = [...files, ...addresses, ...work, ...code];
