import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DocumentStore, type DocumentStoreOptions } from '../../../../../src/features/documents/pdf/document-store.ts';

let directory: string;
let store: DocumentStore;

const open = (options: Partial<DocumentStoreOptions> = {}): DocumentStore =>
  new DocumentStore({
    kind: { folder: 'lectern-documents', extension: '.pdf' },
    directory,
    maxBytes: 1000,
    maxDocumentBytes: 500,
    workers: 1,
    maxWaiting: 1,
    onFault: (_message, error) => {
      throw error;
    },
    ...options,
  });

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'document-store-'));
  store = open();
});

afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

const files = (): readonly string[] => readdirSync(path.join(directory, 'lectern-documents')).sort();
const never = new AbortController().signal;

/** A document whose pages come one by one, each when the test says so. */
function byHand(pages: readonly string[]) {
  const waiting: (() => void)[] = [];
  const state = { made: 0, signal: undefined as AbortSignal | undefined };
  async function* make(signal: AbortSignal, onPage: () => void): AsyncGenerator<Buffer> {
    state.made++;
    state.signal = signal;
    for (const page of pages) {
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        waiting.push(resolve);
        signal.addEventListener('abort', () => resolve());
      });
      onPage();
      yield Buffer.from(page);
    }
  }
  const next = async (): Promise<void> => {
    while (waiting.length === 0) await setTimeout(1);
    waiting.shift()?.();
  };
  return { make, next, state };
}

async function* atOnce(content: string, onPage: () => void): AsyncGenerator<Buffer> {
  onPage();
  yield Buffer.from(content);
}

const makeAtOnce = (key: string, content: string) => store.make(key, 1, (_signal, onPage) => atOnce(content, onPage));

describe('a document', () => {
  it('is made once for all who ask, and read while it is made', async () => {
    const { make, next, state } = byHand(['one ', 'two ', 'three']);
    const first = store.make('key', 3, make);
    const second = store.make('key', 3, make);
    first.waitUntil(never);
    await next();
    await second.begun;
    const early = text(first.stream(never));
    expect(await store.progress('key')).toMatchObject({ kind: 'making', pages: 1, of: 3, bytes: 4 });
    await next();
    await next();
    expect(await early).toBe('one two three');
    await first.done;
    expect(state.made).toBe(1);
    expect(await store.progress('key')).toMatchObject({ kind: 'done', bytes: 13 });
    expect(await text(store.read('key', 4, 6))).toBe('two');
  });

  it('is read by whoever comes before it is kept, while it is moved, or after that', async () => {
    const making = makeAtOnce('key', 'whole');
    making.waitUntil(never);
    await making.begun;
    const before = making.stream(never);
    await making.done;
    expect(files()).toHaveLength(2);
    expect(await Promise.all([before, making.stream(never)].map(text))).toEqual(['whole', 'whole']);
  });

  it('is read at whatever moment its reader comes after the first page', async () => {
    const makings = Array.from({ length: 40 }, (_, index) => {
      const making = open({ maxWaiting: 100 }).make(`key ${index}`, 1, (_signal, onPage) => atOnce('whole', onPage));
      making.waitUntil(never);
      return making;
    });
    const texts = makings.map(async (making, index) => {
      await making.begun;
      for (let turn = 0; turn < index % 20; turn++) await setTimeout(0);
      return text(making.stream(never));
    });
    expect(new Set(await Promise.all(texts))).toEqual(new Set(['whole']));
    await Promise.all(makings.map(({ done }) => done));
  });

  it('is abandoned when the last one who waits leaves, and nothing of it is left', async () => {
    const { make, next, state } = byHand(['one', 'two']);
    const [one, two] = [new AbortController(), new AbortController()];
    const making = store.make('key', 2, make);
    making.waitUntil(one.signal);
    making.waitUntil(two.signal);
    await next();
    one.abort();
    expect(state.signal?.aborted).toBe(false);
    two.abort();
    await expect(making.done).rejects.toMatchObject({ code: 'abandoned' });
    expect(files()).toEqual(['CACHEDIR.TAG']);
    expect(await store.progress('key')).toEqual({ kind: 'none' });
  });

  it('is begun anew by who comes after it was abandoned', async () => {
    const { make, next } = byHand(['one']);
    const gone = new AbortController();
    store.make('key', 1, make).waitUntil(gone.signal);
    gone.abort();
    const again = store.make('key', 1, make);
    again.waitUntil(never);
    await next();
    await again.done;
    expect(await store.progress('key')).toMatchObject({ kind: 'done', bytes: 3 });
  });

  it('is abandoned when who has begun it does not come back in time', async () => {
    const { make } = byHand(['one']);
    const making = store.make('key', 1, make);
    making.waitFor(20);
    await expect(making.done).rejects.toMatchObject({ code: 'abandoned' });
  });

  it('is made for the longest of the times in which somebody will come back', async () => {
    const { make, state, next } = byHand(['one']);
    const making = store.make('key', 1, make);
    making.waitFor(2000);
    making.waitFor(20);
    await setTimeout(60);
    expect(state.signal?.aborted).toBe(false);
    await next();
    await making.done;
  });

  it('that fails is told to who reads it, and leaves no file', async () => {
    async function* make(_signal: AbortSignal, onPage: () => void): AsyncGenerator<Buffer> {
      onPage();
      yield Buffer.from('begun');
      await setTimeout(20);
      throw new Error('the disk is gone');
    }
    const making = store.make('key', 2, make);
    making.waitUntil(never);
    await making.begun;
    await expect(text(making.stream(never))).rejects.toThrow('the disk is gone');
    await expect(making.done).rejects.toThrow('the disk is gone');
    expect(await store.progress('key')).toMatchObject({ kind: 'failed' });
    expect(files()).toEqual(['CACHEDIR.TAG']);
  });

  it('that is longer than allowed fails', async () => {
    const making = makeAtOnce('key', 'x'.repeat(501));
    making.waitUntil(never);
    await expect(making.begun).rejects.toMatchObject({ code: 'too-large' });
  });

  it('is refused where too many wait', async () => {
    const { make } = byHand(['one']);
    for (const key of ['a', 'b']) store.make(key, 1, make).waitFor(1000);
    expect(() => store.make('c', 1, make)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  });

  describe('of a reader', () => {
    const crowd = { name: '203.0.113.0/24', isOfCrowd: true };
    const reader = { name: 'reader 192.0.2.0/24', isOfCrowd: false };
    const ask = (key: string, owner: typeof reader, { make } = byHand(['one'])) => {
      store.joins(key, owner);
      const making = store.make(key, 1, make, owner);
      making.waitFor(60_000);
      return making;
    };

    it('is made while those of strangers wait, of whom no more may', async () => {
      for (const key of ['a', 'b']) ask(key, crowd);
      expect(() => ask('c', crowd)).toThrow(expect.objectContaining({ code: 'overloaded' }));
      store.joins('own', reader);
      await store.make('own', 1, (_signal, onPage) => atOnce('own', onPage), reader).done;
      expect(await store.progress('own')).toMatchObject({ kind: 'done' });
      expect(await store.progress('a')).toMatchObject({ kind: 'making', bytes: 0 });
    });

    it('takes turns with those of another who has asked for more, and who does not take all places', async () => {
      await store.close();
      store = open({ maxWaiting: 4 });
      const other = { name: 'reader 198.51.100.0/24', isOfCrowd: false };
      const [first, second, third, own] = ['1', '2', '3', 'own'].map((content) => byHand([content]));
      ask('first', other, first);
      ask('second', other, second);
      ask('third', other, third);
      expect(() => ask('fourth', other)).toThrow(expect.objectContaining({ code: 'overloaded' }));
      ask('own', reader, own);
      await first?.next();
      await second?.next();
      await vi.waitFor(() => expect(own?.state.made).toBe(1), { timeout: 20_000 });
      expect(third?.state.made).toBe(0);
      await own?.next();
      await third?.next();
    });
  });

  it('that is unused for the longest time makes room, also one of a former process', async () => {
    for (const key of ['a', 'b']) await makeAtOnce(key, key.repeat(450)).done;
    await store.close();
    store = open();
    await makeAtOnce('c', 'c'.repeat(450)).done;
    const kinds = await Promise.all(['a', 'b', 'c'].map(async (key) => (await store.progress(key)).kind));
    expect(kinds).toEqual(['none', 'done', 'done']);
  });
});
