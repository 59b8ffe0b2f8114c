/** The first script of the home page and of the labs: the core starts while the rest of the page is on its way. */
import { theCore } from './core.ts';

theCore();
