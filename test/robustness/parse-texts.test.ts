/** The parsers of texts beside images: any bytes give what can be read and a list of faults, in bounded time. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { parseXml, XmlError } from '../../src/config/digilib-config/xml-file.ts';
import { formatRecord, keyIn, keyOf, parseRecord } from '../../src/core/library/index/block.ts';
import { readCsv } from '../../src/core/library/metadata/csv.ts';
import { parseMetaFile } from '../../src/core/library/metadata/parse-meta-file.ts';
import { type Form, parseMetadata } from '../../src/core/library/metadata/parse-metadata.ts';
import { readYaml } from '../../src/core/library/metadata/yaml.ts';
import { damagedBytes, editedTexts, holdsForEach, unlessRefused } from './random-inputs.ts';

const images = Array.from({ length: 10 }, (_, index) => `page-${String(index + 1).padStart(3, '0')}.jpg`);

async function expectMetadata(form: Form, text: string): Promise<void> {
  const { metadata, faults } = await parseMetadata(form, text, 'metadata', { images, jsonFiles: new Set() });
  const lines = text.split(/\r\n|\r|\n/).length;
  for (const { line, message } of faults) {
    ok(line >= 0 && line <= lines);
    match(message, /^[^\x00-\x1f]+[.?]$/);
  }
  for (const file of metadata.pageOrder ?? []) ok(images.includes(file));
}

const controls = ['\0', '\n', '\r', '\t', '\uFEFF', '\uFFFD', '\u2028', '\u202e', '\ud800'];

describe('metadata.yaml', () => {
  it('of any text is read as far as it can be, with faults that name their lines', async () => {
    const seeds = [
      'label: { en: a }\nsummary: |\n  b\nmetadata:\n  - A: b\npages:\n  - 1-3\n  - { file: 4, label: x }\ncontents:\n  - label: A\n    pages: [5, 6]\n',
      'label: &a Herbal\nsummary: *a\n',
      'homepage: [{ url: https://a.example/b.pdf, label: { en: Catalog } }]',
    ];
    const pieces = [
      ...'[]{}:,-&*!|>\'"%@`#?~; .<0a'.split(''),
      '---\n',
      '...\n',
      '&a ',
      '*a',
      '<<: ',
      '!!binary ',
      '? ',
      '__proto__: ',
      'pages: ',
      '1..9',
      'page-001',
      ...controls,
    ];
    await holdsForEach(editedTexts(seeds, pieces), (text) => expectMetadata(readYaml, text));
  });
});

describe('metadata.csv', () => {
  it('of any text is read as far as it can be, with faults that name their lines', async () => {
    const seeds = [
      'key,value\nlabel@de,"a ""b"""\nhomepage,https://example.org\n\nfile;label,chapter\npage-001,x,A > B\n',
      'label;x\n\nfile\tlabel\n1\t2\n',
    ];
    const pieces = [
      '"',
      '""',
      ',',
      ';',
      '\t',
      '\n',
      '\n\n',
      '\r\n',
      '>',
      '@',
      'file',
      'chapter',
      '1',
      '1-3',
      'page-002',
      '__proto__',
      ...controls,
    ];
    await holdsForEach(editedTexts(seeds, pieces), (text) => expectMetadata(readCsv, text));
  });
});

describe('XML', () => {
  const whole =
    '<?xml version="1.0"?><!-- c --><r a="b"><file><name>n</name><meta><title>t</title><img><original-dpi>300</original-dpi><context>&amp;<![CDATA[x]]></context></img><access type="group"><name>x</name></access></meta></file></r>';
  const pieces = [
    '<',
    '>',
    '/>',
    '</',
    '</r>',
    '<a>',
    '<meta>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE r [<!ENTITY a "b">]>',
    '&a;',
    '&#0;',
    '&#xD800;',
    '<?x ?>',
    'encoding="utf-16"',
    '"',
    "'",
    '=',
    'xmlns:x="y"',
    ...controls,
  ];

  it('of a .meta file of any text is read, or one fault says why not', async () => {
    await holdsForEach(editedTexts([whole], pieces), (text) => {
      const { file, fault } = parseMetaFile(Buffer.from(text));
      if (fault !== undefined) deepEqual(file.general, { contexts: [] });
    });
  });

  it('of a .meta file of any bytes is read, or one fault says why not', async () => {
    const bytes = [Buffer.from(whole), Buffer.from(`\uFEFF${whole}`, 'utf16le'), Buffer.from(`\uFEFF${whole}`)];
    await holdsForEach(damagedBytes(bytes), (text) => {
      const { file, fault } = parseMetaFile(text);
      if (fault !== undefined) deepEqual(file.general, { contexts: [] });
    });
  });

  it('of a configuration file of any text is read, or refused by XmlError', async () => {
    const config = '<digilib-config><parameter name="basedir-list" value="/a:/b"/><!-- x --></digilib-config>';
    await holdsForEach(editedTexts([config, whole], pieces), (text) => {
      const root = unlessRefused(XmlError, () => parseXml(text));
      if (root !== undefined) ok(root.line > 0);
    });
  });
});

describe('a record of the index', () => {
  it('that is damaged in any place is none', async () => {
    const value = fc.record({
      name: fc.string({ unit: 'grapheme' }),
      at: fc.nat(0xffff),
      bit: fc.nat(7),
      size: fc.nat(),
    });
    await holdsForEach(value, ({ name, at, bit, size }) => {
      const line = formatRecord('file', keyOf(name), '1:2', { size });
      deepEqual([keyIn(line), parseRecord('file', '1:2', line)], [keyOf(name), { size }]);
      const bytes = Buffer.from(line);
      const place = at % bytes.length;
      bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
      const damaged = bytes.toString();
      if (keyIn(damaged) !== undefined) equal(parseRecord('file', '1:2', damaged), undefined);
    });
  });
});
