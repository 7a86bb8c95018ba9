import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { elementsNamed, parseXml, readXmlFile } from '../../../../src/config/digilib-config/xml-file.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-xml-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function fileWith(content: string | Buffer): string {
  const file = path.join(scratch, 'a.xml');
  writeFileSync(file, content);
  return file;
}

it('knows names, lines, attributes and texts', () => {
  const root = parseXml('<?xml version="1.0"?>\n<!DOCTYPE a>\n<a>\n  <b c="1 &amp; 2"/>x<![CDATA[<y>]]><b/>\n</a>');
  expect(root).toMatchObject({
    name: 'a',
    line: 3,
    children: [
      { name: 'b', line: 4 },
      { name: 'b', line: 4 },
    ],
  });
  expect(root.text.trim()).toBe('x<y>');
  expect(elementsNamed(root, 'b')[0]?.attributes['c']).toBe('1 & 2');
});

describe('is refused', () => {
  test.each([
    ['', /no well-formed XML/],
    ['no XML', /no well-formed XML/],
    ['<a>\n<b>\n</a>', /^line 3: it is no well-formed XML: the closing tag of <b> is missing$/],
    ['<a/><b/>', /no well-formed XML/],
    ['<a/>more', /no well-formed XML/],
    ['<a b=c/>', /^line 1: it is no well-formed XML/],
    ['<a b="1" b="2"/>', /no well-formed XML/],
    ['<a b="<"/>', /no well-formed XML/],
    ['<a>&unknown;</a>', /no well-formed XML: undefined entity/],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', /DOCTYPE with declarations/],
    ['<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>', /no well-formed XML|DOCTYPE/],
    [`${'<a>'.repeat(300)}${'</a>'.repeat(300)}`, /More than 256 elements are inside of each other/],
  ])('%j', (text, message) => expect(() => parseXml(text)).toThrow(message));

  it('a file of more than 1 MiB, or none at all', () => {
    expect(() => readXmlFile(fileWith(`<a>${' '.repeat(1024 * 1024)}</a>`))).toThrow('a.xml: it is larger than 1 MiB');
    expect(() => readXmlFile(scratch)).toThrow(`there is no file ${scratch}`);
  });
});

describe('is read in the encoding that it names', () => {
  test.each<[string, Buffer]>([
    ['UTF-8', Buffer.from('<a b="ü"/>')],
    ['UTF-8 with a mark', Buffer.from('\uFEFF<a b="ü"/>')],
    ['Latin-1', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a b="ü"/>', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-16"?><a b="ü"/>', 'utf16le')],
  ])('%s', (_, bytes) => expect(readXmlFile(fileWith(bytes)).attributes['b']).toBe('ü'));

  test.each<[string, Buffer]>([
    ['an unknown one', Buffer.from('<?xml version="1.0" encoding="klingon"?><a/>')],
    ['bytes that are no UTF-8', Buffer.from('<a b="ü"/>', 'latin1')],
  ])('%s is refused', (_, bytes) =>
    expect(() => readXmlFile(fileWith(bytes))).toThrow(/a\.xml: it is not in the encoding/),
  );
});
