/** As many answers make a fair average; they are small. */
const answersKept = 20;

/** The last answers to searches of models, as they read them. */
export class RecentAnswers {
  #texts: string[] = [];

  add(text: string): void {
    this.#texts = [...this.#texts.slice(1 - answersKept), text];
  }

  get texts(): readonly string[] {
    return this.#texts;
  }
}
