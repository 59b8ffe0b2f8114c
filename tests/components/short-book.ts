/** Replaces `virtual:book`, which the site's build makes: one short section in the form of that file. */
const lines = 'The cat sat on the mat, and the dog lay at the door of the house.\n'.repeat(120);
const text = `\fThe first chapter\n${lines}`;

export const book = {
  address: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`,
  bytes: text.length,
  zipped: text.length,
};
