/**
 * Replaces `virtual:book`, which the site's build makes: short sections in the form of that file. Those that the trained
 * models have not read have the titles that their logs name.
 */
import log from '../../web/models/reader.json';

const lines = 'The cat sat on the mat, and the dog lay at the door of the house.\n'.repeat(120);
const unread = log.texts.find(({ name }) => name === 'moby-dick')?.heldOut ?? [];
const text = ['The first chapter', ...unread].map((title) => `\f${title}\n${lines}`).join('');

export const book = {
  address: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`,
  bytes: text.length,
  zipped: text.length,
};
