/** Replaces `virtual:book`, which the site's build makes, because the tables of knobs need no book. */
export const book = { address: '', bytes: 0, zipped: 0 };
