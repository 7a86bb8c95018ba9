import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ImageMetadata, unreadableAccess } from '../../../../../src/core/image/model/image-set.ts';
import { parseMetaFile } from '../../../../../src/core/library/metadata/parse-meta-file.ts';

const fileOf = (xml: string) => {
  const { file, fault } = parseMetaFile(Buffer.from(xml));
  expect(fault).toBeUndefined();
  return file;
};

const metadataOf = (meta: string): ImageMetadata => fileOf(`<resource><meta>${meta}</meta></resource>`).general;

const dpi = (...elements: readonly (readonly [string, string])[]) =>
  metadataOf(`<img>${elements.map(([name, text]) => `<original-${name}>${text}</original-${name}>`).join('')}</img>`)
    .dpi;

describe('the dpi of a .meta file', () => {
  it.each<[string, readonly (readonly [string, string])[], { x: number; y: number } | undefined]>([
    ['original-dpi', [['dpi', '400']], { x: 400, y: 400 }],
    ['with blanks, a point and an exponent', [['dpi', ' \n 3.005e2 ']], { x: 300.5, y: 300.5 }],
    [
      'both of -x and -y',
      [
        ['dpi-x', '200'],
        ['dpi-y', '100'],
      ],
      { x: 200, y: 100 },
    ],
    [
      'original-dpi before both',
      [
        ['dpi-x', '200'],
        ['dpi-y', '100'],
        ['dpi', '300'],
      ],
      { x: 300, y: 300 },
    ],
    [
      'size in meters and pixels',
      [
        ['size-x', '0.1'],
        ['size-y', '0.15'],
        ['pixel-x', '200'],
        ['pixel-y', '300'],
      ],
      { x: 50.8, y: 50.8 },
    ],
    [
      'both of -x and -y before size and pixels',
      [
        ['size-x', '1'],
        ['size-y', '1'],
        ['pixel-x', '200'],
        ['pixel-y', '300'],
        ['dpi-x', '7'],
        ['dpi-y', '8'],
      ],
      { x: 7, y: 8 },
    ],
    [
      'size and pixels where original-dpi is no number',
      [
        ['dpi', 'unknown'],
        ['size-x', '0.0254'],
        ['size-y', '0.0508'],
        ['pixel-x', '200'],
        ['pixel-y', '300'],
      ],
      { x: 200, y: 150 },
    ],
    [
      '-x and -y where original-dpi is 0',
      [
        ['dpi', '0'],
        ['dpi-x', '200'],
        ['dpi-y', '100'],
      ],
      { x: 200, y: 100 },
    ],
    ['-x alone', [['dpi-x', '200']], undefined],
    [
      'size without pixels',
      [
        ['size-x', '0.1'],
        ['size-y', '0.1'],
      ],
      undefined,
    ],
    [
      'pixels without size',
      [
        ['pixel-x', '100'],
        ['pixel-y', '100'],
      ],
      undefined,
    ],
    [
      'a size of 0',
      [
        ['size-x', '0'],
        ['size-y', '0'],
        ['pixel-x', '1'],
        ['pixel-y', '1'],
      ],
      undefined,
    ],
    ...['', '-300', '0', 'NaN', 'Infinity', '1e999', '0x10', '300 dpi', '300,5', '1/2', '３００'].map(
      (text): [string, readonly (readonly [string, string])[], undefined] => [`“${text}”`, [['dpi', text]], undefined],
    ),
  ])('is read from %s', (_, elements, expected) => expect(dpi(...elements)).toEqual(expected));
});

describe('the contexts of a .meta file', () => {
  it('are texts in img and links outside of it, in document order', () => {
    expect(
      metadataOf(`<context><link>http://example.org/a</link><name> A </name></context>
        <img><context> text &lt;b&gt; &amp; <i>more</i> </context></img>
        <context><link>http://example.org/b</link></context><context><name>C</name></context>
        <context> plain <![CDATA[<&>]]> </context><context> </context><img><context/></img>`).contexts,
    ).toEqual([
      { kind: 'link', link: 'http://example.org/a', name: 'A' },
      { kind: 'text', text: 'text <b> & more' },
      { kind: 'link', link: 'http://example.org/b' },
      { kind: 'link', name: 'C' },
      { kind: 'text', text: 'plain <&>' },
    ]);
  });
});

describe('the access of a .meta file', () => {
  it.each([
    ['<access type="free"/>', 'free'],
    ['<access type=" free "><name>x</name></access>', 'free'],
    ['<access type="group"><name> mpiwg </name></access>', 'group:mpiwg'],
    ['<access type="institution"/>', 'institution'],
    ['<access type="group"><name> </name></access>', 'group'],
    ['<access/>', unreadableAccess],
    ['<access type=""/>', unreadableAccess],
    ['<access/><access type="group"><name>a</name></access><access type="free"/>', unreadableAccess],
    ['<access type="group"><name>a</name></access><access type="free"/>', 'group:a'],
    ['', undefined],
  ])('%s is %s', (access, expected) => {
    expect(metadataOf(`<access-conditions>${access}</access-conditions>`).access).toBe(expected);
  });
});

it('says which rule of access has no type', () => {
  const access = '<access>\n<name>staff</name></access>';
  const { warning } = parseMetaFile(
    Buffer.from(`<r><meta>\n<access-conditions>${access}</access-conditions></meta></r>`),
  );
  expect(warning).toEqual({ line: 2, message: expect.stringContaining('This <access> has no type; write') });
  const inFile = `<r><file><name>a</name><meta><access-conditions>${access}</access-conditions></meta></file></r>`;
  expect(parseMetaFile(Buffer.from(inFile)).warning).toBeDefined();
});

describe('the title of a .meta file', () => {
  it.each([
    ['<bib><title>b</title></bib><img><title>i</title></img><title> m </title>', 'm'],
    ['<bib><title>b</title></bib><img><title>i</title></img><title> </title>', 'i'],
    ['<bib><title> b\n c </title></bib>', 'b\n c'],
    ['<other><title>o</title></other>', undefined],
  ])('%s is %s', (meta, expected) => expect(metadataOf(meta).title).toBe(expected));
});

describe('a .meta file', () => {
  it('may have another root, and namespaces', () => {
    const xml = `<m:document xmlns:m="urn:a" xmlns="urn:b"><meta><m:img><x:original-dpi xmlns:x="urn:c">300</x:original-dpi>
      </m:img></meta></m:document>`;
    expect(fileOf(xml).general.dpi).toEqual({ x: 300, y: 300 });
  });

  it('has no metadata in other elements', () => {
    expect(fileOf('<meta><img><original-dpi>300</original-dpi></img></meta>').general).toEqual({ contexts: [] });
    expect(fileOf('<resource><a><meta><title>x</title></meta></a></resource>').general).toEqual({ contexts: [] });
  });

  it('has a field in any of its meta elements', () => {
    const xml =
      '<resource><meta><title>a</title></meta><meta><title>b</title><img><original-dpi>9</original-dpi></img></meta></resource>';
    expect(fileOf(xml).general).toEqual({ title: 'a', dpi: { x: 9, y: 9 }, contexts: [] });
  });

  it('names single files, with an optional path before the name', () => {
    const entry = (name: string, title: string) => `<file>${name}<meta><title>${title}</title></meta></file>`;
    const { byPath, general } = fileOf(`<resource>
      ${entry('<name>a.jpg</name>', 'a')}
      ${entry('<path>/./sub//in/</path><name>b.jpg</name>', 'b')}
      ${entry('<name>sub/c.jpg</name>', 'c')}
      ${entry('<name>u\u0308.jpg</name>', 'ü')}
      ${entry('<path>x</path>', 'nameless')}
      ${entry('<name>a.jpg</name>', 'again')}
      <file><name>a.jpg</name><meta><img><original-dpi>9</original-dpi></img></meta></file></resource>`);
    expect(general).toEqual({ contexts: [] });
    expect([...byPath].map(([path, { title }]) => [path, title])).toEqual([
      ['a.jpg', 'a'],
      ['sub/in/b.jpg', 'b'],
      ['sub/c.jpg', 'c'],
      ['\u00fc.jpg', 'ü'],
    ]);
    expect(byPath.get('a.jpg')?.dpi).toEqual({ x: 9, y: 9 });
  });
});

describe('the encoding of a .meta file', () => {
  const xml = (encoding: string) =>
    `<?xml version="1.0"${encoding}?><r><meta><title>Bücher – 漢字 \u{1f4da}</title></meta></r>`;
  const utf16 = (text: string, order: 'le' | 'be') => {
    const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
    return order === 'le' ? bytes : bytes.swap16();
  };

  it.each([
    ['UTF-8', Buffer.from(xml(''))],
    ['UTF-8 that is declared', Buffer.from(xml(' encoding="UTF-8"'))],
    ['UTF-8 with a mark, whatever is declared', Buffer.from(`\uFEFF${xml(' encoding="ISO-8859-1"')}`)],
    ['UTF-16, little end first', utf16(xml(' encoding="UTF-16"'), 'le')],
    ['UTF-16, big end first', utf16(xml(''), 'be')],
  ])('is %s', (_, bytes) => {
    expect(parseMetaFile(bytes)).toMatchObject({ file: { general: { title: 'Bücher – 漢字 \u{1f4da}' } } });
  });

  it.each(["'iso-8859-1'", '"ISO-8859-1" standalone="yes"'])('is ISO-8859-1 with the declaration %s', (named) => {
    const bytes = Buffer.from(
      `<?xml version="1.0" encoding=${named}?><r><meta><title>Bücher</title></meta></r>`,
      'latin1',
    );
    expect(parseMetaFile(bytes)).toMatchObject({ file: { general: { title: 'Bücher' } } });
  });

  it('preserves a replacement character that the file itself contains', () => {
    expect(metadataOf('<title>a \uFFFD</title>').title).toBe('a \uFFFD');
  });
});

const markup = fc
  .constantFrom(
    '<',
    '>',
    '/>',
    '</r>',
    '<!',
    '<!--',
    '-->',
    ']]>',
    '<?',
    '?>',
    '&',
    '&#',
    '&#x0;',
    '"',
    '=',
    'xmlns:a=""',
  )
  .map((text) => Buffer.from(text));

describe('a .meta file that is no XML', () => {
  const billionLaughs = `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><r>&b;</r>`;

  it.each<[string, string | Buffer, number, RegExp]>([
    ['is cut off', '<r>\n<meta>\n<title>x', 3, /not well-formed: “unclosed tag: title/],
    ['is cut off in a tag', '<r><meta att', 1, /not well-formed/],
    ['is empty', '', 0, /not well-formed: “document must contain a root element”/],
    ['is text', 'dpi: 300', 0, /not well-formed/],
    ['has tags that don’t match', '<r>\n<a></b></r>', 2, /the closing tag of <a> is missing/],
    ['has two roots', '<r/><r/>', 1, /not well-formed/],
    ['has an attribute without quotes', '<r a=b/>', 1, /unquoted attribute value/],
    ['has an attribute without a value', '<r a/>', 1, /disallowed character in attribute name/],
    ['has an attribute twice', '<r a="1" a="2"/>', 1, /duplicate attribute: a/],
    ['has a < in a text', '<r>a < b</r>', 1, /not well-formed/],
    ['has an unknown entity', '<r>&nbsp;</r>', 1, /undefined entity/],
    ['has a prefix that is not declared', '<r><dc:title>x</dc:title></r>', 1, /not well-formed/],
    ['has a & alone', '<r>\n\n<a b="R & D"/></r>', 3, /write &amp;/],
    ['has a & alone behind ones that may be', '<r><!-- & --><![CDATA[&]]><?x & ?>&amp;\n&</r>', 2, /write &amp;/],
    ['refers to the character 0', '<r>\n&#0;</r>', 2, /does not allow the character “&#0;”/],
    ['refers to half a character', '<r>&#xD800;</r>', 1, /does not allow the character “&#xD800;”/],
    ['refers to no character', '<r>&#x110000;</r>', 1, /does not allow the character/],
    ['has a control character', '<r>\n\x01</r>', 2, /control character/],
    [
      'declares a document type',
      '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>',
      2,
      /document type/,
    ],
    ['is an entity bomb', billionLaughs, 1, /document type/],
    ['is an entity bomb in UTF-16', Buffer.from(`\uFEFF${billionLaughs}`, 'utf16le'), 1, /document type/],
    ['is not UTF-8', Buffer.from('<r>B\xfccher</r>', 'latin1'), 0, /not UTF-8/],
    ['is half UTF-16', Buffer.from([0xff, 0xfe, 0x3c]), 0, /not UTF-16LE/],
    ['has an unknown encoding', '<?xml version="1.0" encoding="EBCDIC-CP-DE"?><r/>', 1, /“EBCDIC-CP-DE” is not one/],
    ['has no mark before its UTF-16', Buffer.from('<r/>', 'utf16le'), 0, /./],
    ['has 100,000 levels', `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`, 1, /More than 256 elements/],
    ['is a picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 0, /not UTF-8/],
  ])('is a fault with its line where it %s', (_, content, line, message) => {
    const { file, fault } = parseMetaFile(Buffer.from(content as string));
    expect(file).toEqual({ general: { contexts: [] }, byPath: new Map() });
    expect(fault?.message).toMatch(message);
    if (line > 0) expect(fault?.line).toBe(line);
  });

  it('is quoted on one line, and not at length', () => {
    const { fault } = parseMetaFile(Buffer.from(`<r></${'\u202e\n'.repeat(1000)}>`));
    expect(fault?.message).toMatch(/^The XML is not well-formed: “[^\n\u202e]{1,60}”\.$/);
  });

  it.each([
    ['256 levels', `${'<a>'.repeat(256)}${'</a>'.repeat(256)}`],
    ['200,000 elements', `<r>${'<a/>'.repeat(200_000)}</r>`],
    ['50,000 attributes', `<r ${Array.from({ length: 50_000 }, (_, index) => `a${index}="x"`).join(' ')}/>`],
    ['a title of 1 MiB', `<r><meta><title>${'x'.repeat(1_000_000)}</title></meta></r>`],
  ])('may have %s', (_, xml) => expect(parseMetaFile(Buffer.from(xml)).fault).toBeUndefined());

  it('is at most a fault, whatever bytes it contains', () => {
    const whole = Buffer.from(
      '<?xml version="1.0"?><!-- c --><r a="b"><file><name>n</name><meta><img><context>&amp;<![CDATA[x]]></context></img></meta></file></r>',
    );
    const changed = fc.tuple(fc.nat(whole.length), fc.nat(20), fc.oneof(fc.uint8Array({ maxLength: 9 }), markup));
    fc.assert(
      fc.property(fc.array(changed, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = changes.reduce<Buffer>(
          (before, [index, length, added]) =>
            Buffer.concat([before.subarray(0, index), added, before.subarray(index + length)]),
          whole,
        );
        const { file, fault } = parseMetaFile(bytes);
        if (fault !== undefined) expect(file.general).toEqual({ contexts: [] });
      }),
      { numRuns: 1000 },
    );
  });
});
