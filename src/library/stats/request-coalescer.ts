/** One question for all who ask it at the same time, none of whom gets an answer to what was asked before. */
import { ImageError } from '../../image/model/errors.ts';

interface Asked<Answer> {
  readonly answer: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

function newAsked<Answer>(): Asked<Answer> {
  let settle: Pick<Asked<Answer>, 'resolve' | 'reject'> | undefined;
  const answer = new Promise<Answer>((resolve, reject) => {
    settle = { resolve, reject };
  });
  if (settle === undefined) throw new Error('a promise did not call its executor');
  return { answer, ...settle };
}

/**
 * Asks a question by its key. Those who ask in one turn of the event loop share an answer; those who ask while a question
 * is under way share the next one, so that nobody is answered with what was true before the request came.
 */
export class RequestCoalescer<Answer> {
  readonly #question: (key: string) => Promise<Answer>;
  /** Questions that have not begun. */
  readonly #next = new Map<string, Asked<Answer>>();
  readonly #running = new Set<string>();
  #ready: string[] = [];

  constructor(question: (key: string) => Promise<Answer>) {
    this.#question = question;
  }

  run(key: string): Promise<Answer> {
    const next = this.#next.get(key);
    if (next !== undefined) return next.answer;
    const asked = newAsked<Answer>();
    this.#next.set(key, asked);
    if (!this.#running.has(key)) this.#schedule(key);
    return asked.answer;
  }

  /** All requests that have come with this turn of the event loop are read before the question begins. */
  #schedule(key: string): void {
    if (this.#ready.length === 0) setImmediate(() => this.#beginAll());
    this.#ready.push(key);
  }

  #beginAll(): void {
    const ready = this.#ready;
    this.#ready = [];
    for (const key of ready) this.#begin(key);
  }

  #begin(key: string): void {
    const asked = this.#next.get(key);
    if (asked === undefined) return;
    this.#next.delete(key);
    this.#running.add(key);
    this.#question(key).then(
      (answer) => {
        this.#end(key);
        asked.resolve(answer);
      },
      (error: unknown) => {
        // A disk that hangs would let those who wait for the next question wait as long again.
        if (error instanceof ImageError) this.#rejectNext(key, error);
        this.#end(key);
        asked.reject(error);
      },
    );
  }

  #rejectNext(key: string, error: unknown): void {
    this.#next.get(key)?.reject(error);
    this.#next.delete(key);
  }

  #end(key: string): void {
    this.#running.delete(key);
    if (this.#next.has(key)) this.#schedule(key);
  }
}
