/** Counts answers by kind and status: plain numbers, since the fast path counts every answer. */

/** What a request is for; the kinds are labels of metrics, so that there are few. */
export const requestKinds = [
  'picture',
  'info-json',
  'info-object',
  'information',
  'manifest',
  'document',
  'folder',
  'page',
  'server',
  'other',
] as const;

export type RequestKind = (typeof requestKinds)[number];

/** The status of an answer that its client did not wait for. */
export const abandonedStatus = 499;

const statuses = 600;

export interface AnswerCount {
  readonly kind: RequestKind;
  readonly status: number;
  readonly count: number;
}

export class AnswerCounts {
  readonly #counts = Object.fromEntries(requestKinds.map((kind) => [kind, new Float64Array(statuses)])) as Readonly<
    Record<RequestKind, Float64Array>
  >;

  /** Counts one answer. */
  add(kind: RequestKind, status: number): void {
    const counts = this.#counts[kind];
    counts[status] = (counts[status] ?? 0) + 1;
  }

  /** All kinds and statuses that were answered. */
  entries(): readonly AnswerCount[] {
    return requestKinds.flatMap((kind) =>
      [...this.#counts[kind]].flatMap((count, status) => (count > 0 ? [{ kind, status, count }] : [])),
    );
  }
}
