/** The English messages about links and about the browser's storage. */
import { phrasesOf } from '#client/phrases';

export const statePhrases = {
  // The value that a link had.
  value: "'{value}'",
  second_time: "'{value}' a second time",
  // The value that is wanted.
  each_name_once: 'each name once; the first one counts',
  only_version: '{version}, the only one this page knows',
  names_from: 'names from: {names}',
  whole_number: 'a whole number from {least} to {most}',
  number_from_to: 'a number from {least} to {most}',
  number_at_least: 'a number of at least {least}',
  number_at_most: 'a number of at most {most}',
  number: 'a number',
  one_of: 'one of {names}',
  on_or_off: '1 (on) or 0 (off)',
  characters: 'at most {most} {most:character|characters}, not {n}',
  // The whole sentence.
  link: 'The link says {name} = {seen}; wanted {wanted}.',
  // Matrices and texts in a link.
  long_matrices: 'the link’s matrices are {n} characters long; at most {most} can be ours',
  odd_characters: 'the link’s matrices hold characters that base64url does not have',
  odd_start: 'the link’s matrices do not start as ours do; it was cut off or changed',
  other_version: 'the link’s matrices are of version {version}; this page reads version 1',
  damaged_matrices: 'the link’s matrices are damaged; ask for the link once more',
  packed_wrong: 'the link’s matrices cannot be unpacked; it was cut off or changed',
  too_large: 'what the link holds would unpack to more than {most} bytes',
  damaged_text: 'the text in the link is damaged; ask for the link once more',
  // Text that is too long for a link.
  text_lost:
    'This link names a long text ({name}) that is kept in the browser where it was typed. This browser does not have it, so the example is shown instead; ask for the text itself.',
  text_not_kept:
    'The text ({name}) is too long for the address of this page. {reason} Copy the text before you leave.',
  matrices_lost:
    'This link names matrices that are kept in the browser where they were opened. This browser does not have them; ask for their files.',
  // Storage.
  storage_full:
    'The browser’s storage for this site is full: what you do now is gone when you leave.',
  storage_silent:
    'The browser’s storage does not answer: earlier work may be missing here, and what you do now is gone when you leave.',
  storage_cannot_copy: 'This cannot be kept: the browser cannot copy it.',
  storage_denied: 'The browser does not let this page keep your work: it is gone when you leave.',
} as const;

export const say = phrasesOf('state', statePhrases);
