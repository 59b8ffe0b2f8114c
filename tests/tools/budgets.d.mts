export const budgets: {
  readonly startModule: number;
  readonly firstLoad: number;
  readonly element: number;
  readonly firstPicture: {
    readonly ms: number;
    readonly network: { readonly megabitsPerSecond: number; readonly latencyMs: number };
  };
};
