import type { Target } from '../target';
import { code } from './code';
import { files } from './files';
import { addresses } from './links';
import { work } from './work';

/** Everything of the page that reads what others wrote. What C++ reads is in tests/fuzz/native. */
export const targets: readonly Target[] = [...files, ...addresses, ...work, ...code];
