/** The last answers by their questions, so that what was seen just now is not computed again. */
export class RecentAnswers<Answer> {
  /** What was used last comes last. */
  readonly #answers = new Map<string, Answer>();

  /**
   * @param most how large all answers together may be; the last one is kept whatever its size
   * @param sizeOf 1 by default, so that `most` is a number of answers
   */
  constructor(
    private readonly most: number,
    private readonly sizeOf: (answer: Answer) => number = () => 1,
  ) {}

  /** @param question all that the answer depends on, as JSON can write it */
  async of(question: unknown, ask: () => Promise<Answer>): Promise<Answer> {
    const name = JSON.stringify(question);
    const answer = this.#answers.get(name) ?? (await ask());
    this.#answers.delete(name);
    this.#answers.set(name, answer);
    let size = 0;
    for (const [other, old] of [...this.#answers].reverse()) {
      size += this.sizeOf(old);
      if (size > this.most && old !== answer) this.#answers.delete(other);
    }
    return answer;
  }

  forget(): void {
    this.#answers.clear();
  }
}
