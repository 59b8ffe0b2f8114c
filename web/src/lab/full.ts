/** The whole core, as a piece of its own. */
export { createFullClient } from '#client/full';
