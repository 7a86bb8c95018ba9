/** Which pairs of metadata become which fields of a citation. */
import { describe, expect, it } from 'vitest';
import { citationFieldsOf } from '../../../../../src/core/image/folder/citation-fields.ts';
import type { FolderMetadata } from '../../../../../src/core/image/folder/folder-metadata.ts';

const pairs = (values: Readonly<Record<string, string | readonly string[]>>): FolderMetadata => ({
  metadata: Object.entries(values).map(([label, value]) => ({
    label: { none: [label] },
    value: { none: [value].flat() },
  })),
});

describe('the fields of a citation', () => {
  it.each([
    [{ Author: 'Hooke, Robert' }, { authors: ['Hooke, Robert'] }],
    [
      { Verfasserin: ['Merian, Maria Sibylla', 'Graff, Johanna'] },
      { authors: ['Merian, Maria Sibylla', 'Graff, Johanna'] },
    ],
    [{ Authority: 'GND' }, { authors: [] }],
    [{ Author: 'Unknown' }, { authors: [] }],
    [{ Künstler: '[anonym]' }, { authors: [] }],
    [{ Datierung: 'um 1890' }, { date: 'um 1890' }],
    [{ 'Date of purchase': '1920' }, { date: '1920' }],
    [
      { Publisher: 'Royal Society', Place: 'London' },
      { publisher: 'Royal Society', place: 'London' },
    ],
    [{ Sprache: 'Latein' }, { language: 'Latein' }],
    [{ Signatur: 'Ms. 12' }, { callNumber: 'Ms. 12' }],
    [{ DOI: 'https://doi.org/10.1000/182' }, { doi: '10.1000/182' }],
    [{ DOI: 'doi:10.1000/182' }, { doi: '10.1000/182' }],
    [{ Type: 'Illuminated manuscript' }, { itemType: 'manuscript' }],
    [{ Typ: 'Seekarte' }, { itemType: 'map' }],
    [{ Gattung: 'Zeichnung' }, { itemType: 'artwork' }],
    [{}, { itemType: 'document', authors: [], date: '' }],
  ])('of %j have %j', (metadata, fields) => {
    expect(citationFieldsOf(pairs(metadata), [])).toMatchObject(fields);
  });

  it('are in the language of the reader, by labels in any language', () => {
    const metadata: FolderMetadata = {
      behavior: ['paged'],
      metadata: [{ label: { fr: ['Lieu'], en: ['Place'] }, value: { fr: ['Londres'], en: ['London'] } }],
    };
    expect(citationFieldsOf(metadata, ['fr'])).toMatchObject({ place: 'Londres', itemType: 'book' });
  });
});
