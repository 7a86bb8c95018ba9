import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldersBelow,
  imageServicesBelow,
  manifesterAddresses,
  presentationAddresses,
} from '../../../../../src/core/image/addresses/iiif-addresses.ts';
import type { FolderDescription, FolderOfFolders } from '../../../../../src/core/image/folder/folder-description.ts';
import type { FolderMetadata, LanguageMap, Structure } from '../../../../../src/core/image/folder/folder-metadata.ts';
import { joinPage } from '../../../../../src/core/image/model/identifier.ts';
import {
  collectionOf,
  manifestOf,
  manifestPieces,
  wholeManifest,
  withAdditions,
} from '../../../../../src/features/presentation/model/manifest.ts';
import { runsOf } from '../../../../sweep.ts';
import {
  collectionSchema2,
  collectionSchema3,
  manifestSchema2,
  manifestSchema3,
  parserWarnings,
  valuesOf,
} from './schema.ts';

const origin = 'https://library.example/digilib';
const services = imageServicesBelow(origin);

/** Names as they are found on disks: any script, quotes, blanks, and what has a meaning in addresses and in JSON. */
const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'ab!?#%;:&+"\'<>[]{} ,@漢é'), minLength: 1, maxLength: 8 }),
    fc.integer({ min: 0, max: 9999 }).map((number) => `page${String(number).padStart(4, '0')}`),
  )
  .map((text) => text.replace(/[/\\\0\uFFFD]/g, '_'))
  .filter((text) => !text.startsWith('.') && text !== '');

const text: fc.Arbitrary<LanguageMap> = fc
  .dictionary(fc.constantFrom('none', 'en', 'de', 'zh-Hant'), fc.array(fc.string(), { minLength: 1, maxLength: 2 }), {
    minKeys: 1,
    maxKeys: 2,
  })
  .map((map) => ({ ...map }));
const pair = fc.record({ label: text, value: text });

const path = fc.array(name, { maxLength: 4 }).map((names) => names.join('/'));

const structuresOf = (files: readonly string[]): fc.Arbitrary<readonly Structure[]> =>
  fc.letrec<{ list: Structure[]; one: Structure }>((tie) => ({
    list: fc.array(tie('one'), { maxLength: 3 }),
    one: fc.record({
      label: text,
      pages: fc.array(fc.constantFrom(...files, 'no such page.jpg'), { maxLength: 3 }),
      structures: fc.oneof({ depthSize: 'small' }, fc.constant([]), tie('list')),
    }),
  })).list;

const metadataOf = (files: readonly string[]): fc.Arbitrary<FolderMetadata> =>
  fc.record(
    {
      label: text,
      summary: text,
      metadata: fc.array(pair, { maxLength: 3 }),
      rights: fc.constantFrom(
        'http://creativecommons.org/publicdomain/mark/1.0/',
        'https://creativecommons.org/licenses/by/4.0/',
        'https://rightsstatements.org/vocab/InC/1.0/',
      ),
      requiredStatement: pair,
      homepage: fc.array(
        fc.record({ id: fc.constant('https://library.example/book'), label: text, format: fc.constant('text/html') }),
        { maxLength: 2 },
      ),
      viewingDirection: fc.constantFrom('left-to-right', 'right-to-left', 'top-to-bottom', 'bottom-to-top'),
      behavior: fc.constantFrom(['paged'], ['individuals'], ['continuous', 'auto-advance'], []),
      pageLabels: fc.array(fc.tuple(fc.constantFrom(...files), text)).map((entries) => new Map(entries)),
      pageOrder: fc.shuffledSubarray([...files, 'gone.jpg']),
      structures: structuresOf(files),
    },
    { requiredKeys: [] },
  );

const size = fc.record({ width: fc.integer({ min: 1, max: 70_000 }), height: fc.integer({ min: 1, max: 70_000 }) });

const folder: fc.Arbitrary<FolderDescription> = fc
  .tuple(
    path,
    fc.uniqueArray(
      fc.record({ stem: name, extension: fc.constantFrom('jpg', 'tif'), count: fc.constantFrom(1, 1, 3), size }),
      { minLength: 1, maxLength: 8, selector: ({ stem, extension }) => `${stem}.${extension}` },
    ),
  )
  .chain(([at, files]) => {
    const pages = files.flatMap(({ stem, extension, count, size: pixels }) => {
      const file = `${stem}.${extension}`;
      const inside = at === '' ? file : `${at}/${file}`;
      if (count === 1) return [{ path: inside, file, ...pixels }];
      return [1, 2, 3].map((pageInFile) => ({ path: joinPage(inside, pageInFile), file, pageInFile, ...pixels }));
    });
    const names = files.map(({ stem, extension }) => `${stem}.${extension}`);
    return metadataOf(names).map((metadata) => ({ path: at, name: at.split('/').at(-1) || '/', pages, metadata }));
  });

const folderOfFolders: fc.Arbitrary<FolderOfFolders> = fc.record({
  path,
  name,
  metadata: metadataOf(['a.jpg']),
  members: fc.array(
    fc.record({
      path: fc.tuple(path, name).map((names) => names.filter((one) => one !== '').join('/')),
      name,
      kind: fc.constantFrom('manifest', 'collection'),
      metadata: metadataOf(['a.jpg']),
    }),
    { maxLength: 5 },
  ),
});

const runs = { numRuns: runsOf(200) };
const isPart3 = (owner: object): boolean =>
  'type' in owner && !/^(Image|Text)/.test(String(owner.type)) && !isReference(owner);
const isReference = (owner: object): boolean => Object.keys(owner).length === 2;
const isPart2 = (owner: object): boolean => '@type' in owner && owner['@type'] !== 'dctypes:Image';

describe('random folders', { tags: 'sampled' }, () => {
  it('become manifests of 3.0 that the specification and the parser accept, each part with an address of its own', () => {
    fc.assert(
      fc.property(folder, fc.constantFrom(presentationAddresses, manifesterAddresses), (described, addresses) => {
        const document = wholeManifest(manifestOf(3, described, addresses(`${origin}/x/3`, described.path), services));
        manifestSchema3.parse(document);
        expect(parserWarnings(document)).toEqual([]);
        expect(Object.keys(document)[0]).toBe('@context');
        const ids = valuesOf(document, ['id'], isPart3);
        expect(new Set(ids).size).toBe(ids.length);
        expect(JSON.parse(JSON.stringify(document))).toEqual(document);
      }),
      runs,
    );
  });

  it('become manifests of 2.1, likewise', () => {
    fc.assert(
      fc.property(folder, fc.constantFrom(presentationAddresses, manifesterAddresses), (described, addresses) => {
        const document = wholeManifest(manifestOf(2, described, addresses(`${origin}/x/2`, described.path), services));
        manifestSchema2.parse(document);
        expect(parserWarnings(document)).toEqual([]);
        const ids = valuesOf(document, ['@id'], isPart2);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      runs,
    );
  });

  it('have ranges that name canvases of the manifest alone', () => {
    fc.assert(
      fc.property(folder, (described) => {
        const addresses = presentationAddresses(`${origin}/presentation/3`, described.path);
        const document = wholeManifest(manifestOf(3, described, addresses, services));
        const { items, structures = [] } = manifestSchema3.parse(document);
        const canvases = new Set(items.map(({ id }) => id));
        const named = valuesOf(structures, ['id'], isReference);
        expect(named.filter((id) => !canvases.has(String(id)))).toEqual([]);
      }),
      runs,
    );
  });

  it('become the same manifests piece by piece as at once, also with additions', () => {
    const additions = { label: 'x', items: [], sequences: [], own: { '': [1] } };
    fc.assert(
      fc.property(folder, fc.constantFrom<2 | 3>(2, 3), (described, version) => {
        const manifest = manifestOf(version, described, presentationAddresses(`${origin}/x`, described.path), services);
        for (const added of [undefined, additions]) {
          const whole = JSON.stringify(withAdditions(wholeManifest(manifest), added));
          expect([...manifestPieces(manifest, added)].join('')).toBe(whole);
        }
      }),
      runs,
    );
  });

  it('become collections of both versions', () => {
    fc.assert(
      fc.property(folderOfFolders, (described) => {
        collectionSchema3.parse(collectionOf(3, described, foldersBelow(`${origin}/presentation/3`)));
        collectionSchema2.parse(collectionOf(2, described, foldersBelow(`${origin}/presentation/2`)));
      }),
      runs,
    );
  });
});
