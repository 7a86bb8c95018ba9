/** Collects what is asked for one by one at the same time, so that one query answers it. */

/** Questions of one query. */
const maxInBatch = 1000;

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** `askAll` gives the answers in the order of the questions. */
export function createBatches<Question, Answer>(
  askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];

  function flush(): void {
    const batch = waiting.splice(0, maxInBatch);
    if (waiting.length > 0) setImmediate(flush);
    askAll(batch.map(({ question }) => question)).then(
      (answers) => {
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
      },
      (error: unknown) => {
        for (const { reject } of batch) reject(error);
      },
    );
  }

  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ question, resolve, reject }) === 1) setImmediate(flush);
    });
}
