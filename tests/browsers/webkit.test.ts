import { everyPage } from './every-page';
import { openWebkit } from './webkit';

// WebKitGTK computes a third as fast as Firefox: the figures of the lab on heads alone took it 110 s beside Firefox.
// What takes longer than this is left to Firefox, which waits for every figure.
everyPage('WebKitGTK', openWebkit, 5000);
