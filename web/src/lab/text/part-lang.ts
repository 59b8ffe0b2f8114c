import type { LabWords } from '../types';

/** The `lang` of a part of a lab's words (`prose.count`), where the page's language lacks it and shows the English. */
export const langOfPart = (
  words: LabWords | undefined,
  part: string,
  ofLab: 'en' | undefined,
): 'en' | undefined => ofLab ?? (words?.inEnglish?.includes(part) ? 'en' : undefined);
