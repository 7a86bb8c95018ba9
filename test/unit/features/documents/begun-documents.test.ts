import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../../src/core/access/policy.ts';
import type { PreparedDocument } from '../../../../src/features/documents/documents.ts';
import { BegunDocuments } from '../../../../src/features/documents/pdf-cache.ts';

const callerOf = (...roles: readonly string[]): Caller => ({ roles: new Set(roles), authenticated: roles.length > 0 });

const documentOf = (key: string, ...names: readonly string[]): PreparedDocument =>
  ({ key, pages: names.length, shows: new Set(names) }) as unknown as PreparedDocument;

describe('the document that a docid began', () => {
  const begun = new BegunDocuments();
  begun.remember('id', callerOf('staff', 'guest'), documentOf('old', 'a.jpg', 'b.jpg'));
  const now = documentOf('new', 'a.jpg', 'b.jpg', 'c.jpg');

  it('is given to callers of the same roles who may see its pages still', () =>
    expect(begun.earlier('id', callerOf('guest', 'staff'), now)).toMatchObject({
      isVisible: true,
      document: { key: 'old', pages: 2 },
    }));

  it('is not visible where one of its pages is not among those of now', () =>
    expect(begun.earlier('id', callerOf('guest', 'staff'), documentOf('new', 'a.jpg'))).toMatchObject({
      isVisible: false,
    }));

  it.each([
    ['callers of other roles', 'id', callerOf('guest'), now],
    ['callers without roles', 'id', callerOf(), now],
    ['another id', 'other', callerOf('guest', 'staff'), now],
    ['a folder that has not changed', 'id', callerOf('guest', 'staff'), documentOf('old', 'a.jpg', 'b.jpg')],
  ])('is unknown for %s', (_, docid, caller, document) =>
    expect(begun.earlier(docid, caller, document)).toBeUndefined(),
  );
});
