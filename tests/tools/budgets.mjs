// How large the site may be, and how long its first picture may take. The budgets are stated in this file only.
const KB = 1024;

export const budgets = {
  /** gzip -9 bytes of the module that every lab begins with, in each build. */
  startModule: 110 * KB,
  /** gzip -9 bytes of everything that a lab fetches before the visitor does anything. */
  firstLoad: 200 * KB,
  /**
   * Labs whose opening goes on, once its first picture stands, to what needs more than that: these files come after the
   * picture and do not count as the first load, but together may be no larger than this, gzip -9.
   */
  openingGoesOn: {
    'labs/heads/': { why: 'a trained model, and the whole core that runs it', most: 1600 * KB },
    'labs/kernels/': { why: 'the whole core, which has the machine', most: 1050 * KB },
    'labs/long-texts/': { why: 'the whole core, which counts patterns', most: 1050 * KB },
  },
  /** Bytes of a trained model of web/models, which is fetched when somebody asks for it; they hardly compress. */
  trainedModel: 1.5e6,
  /** gzip -9 bytes of the element that course pages load. */
  element: 4 * KB,
  /** The time until the opening figure of a lab is drawn, with an empty cache, over `network`. */
  firstPicture: { ms: 1000, network: { megabitsPerSecond: 10, latencyMs: 40 } },
};
