/** Documents are written one in each round of the event loop, and only where there is room. */
import { describe, expect, it } from 'vitest';
import { createOutgoingBytes } from '../../../../src/core/answers/outgoing-bytes.ts';
import { createDocumentTurns } from '../../../../src/core/http/outgoing.ts';

const never = new AbortController().signal;
const MiB = 2 ** 20;

describe('turns to write documents', () => {
  it('come one after the other, in order, with other events between them', async () => {
    const turn = createDocumentTurns(createOutgoingBytes({ maxBytes: 64 * MiB }));
    const events: string[] = [];
    const turns = [1, 2, 3].map((number) => turn(never).then(() => void events.push(`document ${number}`)));
    const watch = (left: number): void => {
      events.push('other');
      if (left > 0) setImmediate(watch, left - 1);
    };
    setImmediate(watch, 8);
    await Promise.all(turns);
    const documents = events.filter((event) => event !== 'other');
    expect(documents).toEqual(['document 1', 'document 2', 'document 3']);
    const between = (one: string, other: string) => events.slice(events.indexOf(one), events.indexOf(other));
    expect(between('document 1', 'document 2')).toContain('other');
    expect(between('document 2', 'document 3')).toContain('other');
  });

  it('are refused where the documents before them are not read', async () => {
    const outgoing = createOutgoingBytes({ maxBytes: 64 * MiB });
    const turn = createDocumentTurns(outgoing);
    const shares: { release(): void }[] = [];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, async () => {
        await turn(never);
        shares.push(outgoing.hold(Buffer.alloc(5 * MiB)));
      }),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(13);
    for (const share of shares) share.release();
    expect(outgoing.load().bytes).toBe(0);
    await turn(never);
  });

  it('end where the client has gone', async () => {
    const turn = createDocumentTurns(createOutgoingBytes({ maxBytes: 64 * MiB }));
    const controller = new AbortController();
    const waiting = turn(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'abandoned' });
    await turn(never);
  });
});
