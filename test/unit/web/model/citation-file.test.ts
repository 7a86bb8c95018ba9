import { describe, expect, it } from 'vitest';
import { bibtexText, type CitedPage, risText } from '../../../../web/src/model/cite/citation.ts';

const cited: CitedPage = {
  fields: {
    authors: ['Fuchs, Leonhart', 'Meyer, Albrecht'],
    date: 'Basel 1543',
    publisher: 'Isingrin & Co.',
    place: 'Basel',
    language: 'German',
    callNumber: 'Rar. 77',
    doi: '10.1/abc_d',
    isbn: '',
    itemType: 'book',
  },
  title: 'New Kreüterbuch\nmit 100% {Holzschnitten}',
  label: '17r',
  holder: 'A Library',
  rights: 'https://creativecommons.org/publicdomain/mark/1.0/',
  address: 'https://library.example/view/a_b?ww=0.5',
  accessed: '2026-05-03',
};

describe('a citation as RIS', () => {
  const lines = risText(cited).split('\r\n');

  it('begins with its type and ends with ER', () => {
    expect(lines[0]).toBe('TY  - BOOK');
    expect(lines.slice(-2)).toEqual(['ER  - ', '']);
  });

  it('has a line for each author, and no empty ones', () => {
    expect(lines.filter((line) => line.startsWith('AU'))).toEqual(['AU  - Fuchs, Leonhart', 'AU  - Meyer, Albrecht']);
    expect(lines.some((line) => line.startsWith('SN'))).toBe(false);
  });

  it('has every value in one line', () => {
    expect(lines).toContain('TI  - New Kreüterbuch mit 100% {Holzschnitten}');
    expect(lines).toEqual(expect.arrayContaining(['PY  - 1543', 'SP  - 17r', 'DO  - 10.1/abc_d', 'Y2  - 2026/05/03']));
    for (const line of lines.slice(0, -2)) expect(line).toMatch(/^[A-Z][A-Z0-9] {2}- \S/);
  });
});

describe('a citation as BibTeX', () => {
  const text = bibtexText(cited);

  it('has a key of author, year and title', () => expect(text).toMatch(/^@book\{fuchs1543new,\n/));

  it('escapes what TeX reads as commands, and leaves addresses as they are', () => {
    expect(text).toContain('  title = {New Kreüterbuch mit 100\\% \\{Holzschnitten\\}},');
    expect(text).toContain('  publisher = {Isingrin \\& Co.},');
    expect(text).toContain('  url = {https://library.example/view/a_b?ww=0.5},');
  });

  it('joins authors by “and”, and has balanced braces', () => {
    expect(text).toContain('  author = {Fuchs, Leonhart and Meyer, Albrecht},');
    const plain = text.replace(/\\[{}]/g, '');
    expect(plain.split('{').length).toBe(plain.split('}').length);
  });

  it('has a key also without author, date and Latin letters', () => {
    const bare = {
      ...cited,
      title: '新草本志',
      fields: { ...cited.fields, authors: [], date: '', itemType: 'map' as const },
    };
    expect(bibtexText(bare)).toMatch(/^@misc\{page,\n/);
  });
});
