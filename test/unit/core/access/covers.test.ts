/** What admission says lies on an image: for whom, in a tier, and until when. */
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAdmission } from '../../../../src/core/access/admit.ts';
import type { AccessRules } from '../../../../src/core/access/policy.ts';
import type { Watermark } from '../../../../src/core/image/model/covers.ts';
import { hasFiles, isCovered } from '../../../../src/core/image/model/image-set.ts';
import type { Tier } from '../../../../src/core/image/model/tier.ts';
import { makeTemporaryLibrary, type TemporaryLibrary } from '../../temporary-library.ts';
import { accessBy, callerWith } from './access-rules.ts';

const lastYear = Date.UTC(2061, 5);

let temporary: TemporaryLibrary;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: lastYear });
  temporary = makeTemporaryLibrary();
  const scan = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  for (const name of ['a', 'b', 'c', 'd']) temporary.write(`scans/book/${name}.jpg`, scan);
  const pages = sharp([scan, scan], { join: { animated: true } });
  temporary.write('scans/book/two.tif', await pages.tiff().toBuffer());
  temporary.write(
    'scans/book/metadata.yaml',
    `redactions:
  a: { region: "1,2,3,4", roles: [archivists], until: 2061 }
  b: [full, { region: "pct:50,0,10,10", roles: archivists }]
  c: 40,0,10,10
  two: { region: "5,5,5,5", page: 2 }
`,
  );
});
afterEach(() => {
  temporary.remove();
  vi.useRealTimers();
});

const mark = { place: 'center', opacity: 0.5, width: 0.5, minSide: 0 } as unknown as Watermark;
const watermark = { ...mark, mark: { kind: 'text', text: 'x' } } as unknown as Watermark;
const small: Tier = { name: 'small', maxSide: 10, originals: false, documents: false, texts: true, watermark };

const rules: Partial<AccessRules> = {
  tiers: [small],
  givesRoles: true,
  paths: [{ path: 'book/d.jpg', roles: ['staff'], everyone: 'small' }],
};

const admitWith = (given: Partial<AccessRules>, onWrong?: (path: string) => void) => {
  const admission = createAdmission(temporary.open(), accessBy(given), undefined, onWrong);
  const admit = (name: string, ...roles: readonly string[]) => admission.admit(`book/${name}`, 1, callerWith(...roles));
  return { admission, admit };
};

describe('redactions', () => {
  it('cover for whoever lacks the roles, and make the answer depend on the caller', async () => {
    const { admit } = admitWith(rules);
    const [covered, seen, open] = [await admit('a.jpg'), await admit('a.jpg', 'archivists'), await admit('two.tif')];
    expect(covered.covers?.redactions).toEqual([{ x: 1, y: 2, width: 3, height: 4 }]);
    expect([covered.isOpen, hasFiles(covered), isCovered(covered)]).toEqual([false, false, true]);
    expect([seen.isOpen, seen.covers, hasFiles(seen)]).toEqual([false, undefined, true]);
    expect(open.isOpen).toBe(true);
  });

  it('that nobody may see below are left of several for whoever has the role of another', async () => {
    const { admit } = admitWith(rules);
    expect((await admit('b.jpg')).covers?.redactions).toHaveLength(2);
    expect((await admit('b.jpg', 'archivists')).covers?.redactions).toEqual([{ x: 0, y: 0, width: 40, height: 20 }]);
    const keys = await Promise.all([admit('b.jpg'), admit('b.jpg', 'archivists'), admit('b.jpg', 'x')]);
    expect(new Set(keys.map(({ covers }) => covers?.key)).size).toBe(2);
  });

  it('are the same for all where there are no roles', async () => {
    const { admit } = admitWith({});
    const image = await admit('a.jpg');
    expect([image.isOpen, image.covers?.redactions.length]).toEqual([true, 1]);
  });

  it('of a page close the file of all pages', async () => {
    const { admit } = admitWith(rules);
    const [first, second] = [await admit('two.tif'), await admit('two.tif;2')];
    expect(first.covers).toMatchObject({ redactions: [], ofOtherPages: true });
    expect(second.covers?.redactions).toHaveLength(1);
    for (const page of [first, second]) expect([hasFiles(page), isCovered(page)]).toEqual([false, true]);
  });

  it('beside the image close it, and are reported', async () => {
    const reported: string[] = [];
    const { admit } = admitWith(rules, (path) => void reported.push(path));
    await expect(admit('c.jpg', 'archivists')).rejects.toMatchObject({ code: 'denied' });
    expect(reported).toEqual(['book/c.jpg']);
  });

  it('end at their date, and so does what was admitted before', async () => {
    const { admission, admit } = admitWith(rules);
    const image = await admit('a.jpg');
    expect(admission.isFresh(image)).toBe(true);
    vi.setSystemTime(Date.UTC(2062, 0));
    expect(admission.isFresh(image)).toBe(false);
    const open = await admit('a.jpg');
    expect([open.covers, open.isOpen, hasFiles(open)]).toEqual([undefined, true, true]);
    expect(admission.isFresh(open)).toBe(true);
    vi.setSystemTime(lastYear);
    expect(admission.isFresh(open)).toBe(false);
  });
});

describe('a tier', () => {
  it('has its watermark, and all redactions, for everyone', async () => {
    temporary.write(
      'scans/book/d.jpg.meta',
      '<r><meta><redactions><redaction region="0,0,4,4" roles="staff"/></redactions></meta></r>',
    );
    const { admit } = admitWith(rules);
    const images = await Promise.all([admit('d.jpg'), admit('d.jpg;tier=small'), admit('d.jpg;tier=small', 'staff')]);
    for (const { covers } of images) {
      expect(covers).toMatchObject({ redactions: [{ x: 0, y: 0, width: 4, height: 4 }], watermark });
      expect(covers?.key).toBe(images[0]?.covers?.key);
    }
    const [own, named] = images;
    expect([own?.isOpen, named?.isOpen]).toEqual([false, true]);
    expect((await admit('d.jpg', 'staff')).covers).toBeUndefined();
  });

  it('has keys for its watermark', async () => {
    const keyWith = async (changes: Partial<Watermark>) => {
      const tier = { ...small, watermark: { ...watermark, ...changes } };
      return (await admitWith({ ...rules, tiers: [tier] }).admit('d.jpg')).covers?.key;
    };
    const keys = await Promise.all([keyWith({}), keyWith({}), keyWith({ opacity: 1 }), keyWith({ place: 'tiled' })]);
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toBe(keys[1]);
  });
});
