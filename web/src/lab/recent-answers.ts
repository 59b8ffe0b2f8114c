/** The last answers by their questions, so that what was seen just now is not computed again. */
export class RecentAnswers<Answer> {
  /** What was used last comes last. */
  readonly #answers = new Map<string, Answer>();

  /** @param most how large all answers together may be; the last one is kept whatever its size */
  constructor(private readonly most: number) {}

  async of(
    question: string,
    ask: () => Promise<Answer>,
    sizeOf: (answer: Answer) => number,
  ): Promise<Answer> {
    const answer = this.#answers.get(question) ?? (await ask());
    this.#answers.delete(question);
    this.#answers.set(question, answer);
    let size = 0;
    for (const [other, old] of [...this.#answers].reverse()) {
      size += sizeOf(old);
      if (size > this.most && old !== answer) this.#answers.delete(other);
    }
    return answer;
  }
}
