export interface Figures {
  readonly none?: string;
}
export const words: Figures = {};
