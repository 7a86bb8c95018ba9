import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { trustProxies } from '../../../../src/core/http/origin.ts';
import type { PagesFor } from '../../../../src/features/documents/page-image.ts';
import { makeDocument, type SendingParts } from '../../../../src/features/documents/send-document-file.ts';

/** The weight with which the pages of a document are rendered, and whether it waits with those of the crowd. */
async function turnOf(weight: number | undefined, how?: 'in-background') {
  const seen: { weight?: number | undefined; isOfCrowd?: boolean } = {};
  const documentStore = {
    joins: () => true,
    make(_key: string, _pages: number, make: (signal: AbortSignal, onPage: () => void) => unknown, owner: object) {
      make(new AbortController().signal, () => undefined);
      Object.assign(seen, owner);
    },
  };
  const document = {
    ...{ key: 'key', pages: 1, work: () => 1 },
    make(pagesFor: PagesFor) {
      seen.weight = pagesFor.weight;
    },
  };
  const parts = { documentStore, trusted: trustProxies([]), sharesOf: () => ({ groups: ['partner'], weight }) };
  const request = { raw: { headers: {}, socket: { remoteAddress: '198.51.100.7' } } };
  await makeDocument(document as never, parts as unknown as SendingParts, request as unknown as FastifyRequest, how);
  return [seen.weight, seen.isOfCrowd];
}

it('Pages of documents that nobody waits for get what others leave, and those of strangers no more than before', async () => {
  expect(await turnOf(1)).toEqual([1, false]);
  expect(await turnOf(undefined)).toEqual([undefined, false]);
  expect(await turnOf(1, 'in-background')).toEqual([0.5, false]);
  expect(await turnOf(undefined, 'in-background')).toEqual([0.5, false]);
  expect(await turnOf(0.25, 'in-background')).toEqual([0.25, true]);
});
