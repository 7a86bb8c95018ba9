/** The formats of texts: what each says of words, languages, order and hyphens, in every encoding, and its faults. */
import { describe, expect, it } from 'vitest';
import type { TextFormat } from '../../../../../src/core/image/model/text-formats.ts';
import { type PageText, plainText } from '../../../../../src/core/image/page-text/page-text.ts';
import { placeText } from '../../../../../src/core/image/page-text/place-text.ts';
import { parseText } from '../../../../../src/features/texts/formats/parse-text.ts';
import { TextFaultError } from '../../../../../src/features/texts/formats/text-fault.ts';

const image = { stored: { width: 1000, height: 1000 }, orientation: 1 } as const;

async function read(format: TextFormat, content: string | Buffer, page = 1): Promise<PageText | undefined> {
  const source = await parseText({ format, page }, Buffer.from(content));
  return source && placeText(source, image);
}

const wordsOf = (text: PageText | undefined) =>
  text?.blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words)) ?? [];

const textsOf = (text: PageText | undefined) => wordsOf(text).map((word) => word.text);

const faultOf = (reading: Promise<unknown>): Promise<TextFaultError> =>
  reading.then(
    () => Promise.reject(new Error('there is no fault')),
    (error: unknown) => (error instanceof TextFaultError ? error : Promise.reject(error)),
  );

const alto = (
  page: string,
  { root = 'xmlns="http://www.loc.gov/standards/alto/ns-v4#"', before = '', unit = '' } = {},
) =>
  `<?xml version="1.0"?><alto ${root}>${unit}${before}<Layout><Page WIDTH="1000" HEIGHT="1000">${page}</Page></Layout></alto>`;

const altoLine = (...words: readonly string[]) =>
  `<TextLine>${words.map((word) => (word.startsWith('<') ? word : `<String CONTENT="${word}"/>`)).join('<SP/>')}</TextLine>`;

const pageXml = (content: string, attributes = '') =>
  `<?xml version="1.0"?><PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15"><Page imageWidth="1000" imageHeight="1000" ${attributes}>${content}</Page></PcGts>`;

const hocr = (content: string, attributes = '') =>
  `<html><body><div class="ocr_page" title="bbox 0 0 1000 1000"${attributes}>${content}</div></body></html>`;

describe('ALTO', () => {
  it.each(['', 'xmlns="http://schema.ccs-gmbh.com/ALTO"', 'xmlns="http://www.loc.gov/standards/alto/ns-v2#"'])(
    'is read with the root’s attributes %s',
    async (root) => {
      const text = await read(
        'alto',
        alto(`<PrintSpace><TextBlock>${altoLine('old', 'book')}</TextBlock></PrintSpace>`, { root }),
      );
      expect(textsOf(text)).toEqual(['old', 'book']);
    },
  );

  it('is read with a prefix', async () => {
    const content =
      '<a:alto xmlns:a="http://www.loc.gov/standards/alto/ns-v3#"><a:Layout><a:Page><a:TextBlock><a:TextLine><a:String CONTENT="prefixed"/></a:TextLine></a:TextBlock></a:Page></a:Layout></a:alto>';
    expect(textsOf(await read('alto', content))).toEqual(['prefixed']);
  });

  it('says the whole of a hyphenated word, whose hyphen belongs to it', async () => {
    const first =
      '<String CONTENT="her" SUBS_TYPE="HypPart1" SUBS_CONTENT="herbal" HPOS="900" VPOS="10" WIDTH="50" HEIGHT="20"/><HYP CONTENT="-" HPOS="950" VPOS="15" WIDTH="10" HEIGHT="5"/>';
    const second = '<String CONTENT="bal," SUBS_TYPE="HypPart2" SUBS_CONTENT="herbal"/>';
    const text = await read('alto', alto(`<TextBlock>${altoLine('my', first)}${altoLine(second, 'look')}</TextBlock>`));
    expect(wordsOf(text)).toEqual([
      { text: 'my' },
      { text: 'her-', box: { x: 900, y: 10, width: 60, height: 20 }, joined: 'herbal' },
      { text: 'bal,', joined: '' },
      { text: 'look' },
    ]);
  });

  it('is read in its reading order, else along IDNEXT, with margins around the print space', async () => {
    const block = (id: string, next = '') => `<TextBlock ID="${id}" ${next}>${altoLine(id)}</TextBlock>`;
    const parts = `<TopMargin>${block('top')}</TopMargin><BottomMargin>${block('foot')}</BottomMargin><PrintSpace>${block('b')}${block('a', 'IDNEXT="b"')}</PrintSpace>`;
    expect(textsOf(await read('alto', alto(parts)))).toEqual(['top', 'a', 'b', 'foot']);
    const before =
      '<ReadingOrder><OrderedGroup><ElementRef REF="b"/><ElementRef REF="top"/></OrderedGroup></ReadingOrder>';
    expect(textsOf(await read('alto', alto(parts, { before })))).toEqual(['b', 'top', 'a', 'foot']);
  });

  it('follows blocks that name each other in a circle once', async () => {
    const blocks = ['a', 'b'].map(
      (id) => `<TextBlock ID="${id}" IDNEXT="${id === 'a' ? 'b' : 'a'}">${altoLine(id)}</TextBlock>`,
    );
    expect(textsOf(await read('alto', alto(blocks.join(''))))).toEqual(['a', 'b']);
  });

  it('has pages, of which the n-th is that of the n-th image in a file', async () => {
    const content = `<alto><Layout><Page>${altoLine('first')}</Page><Page>${altoLine('second')}</Page></Layout></alto>`;
    expect(textsOf(await read('alto', content, 2))).toEqual(['second']);
    expect(await read('alto', content, 3)).toBeUndefined();
  });

  it('in lengths without the size of its page has places where the image says its dpi, and none elsewhere', async () => {
    const content = `<alto><Description><MeasurementUnit>mm10</MeasurementUnit></Description><Layout><Page><TextLine><String CONTENT="word" HPOS="127" VPOS="254" WIDTH="25.4" HEIGHT="12.7"/></TextLine></Page></Layout></alto>`;
    const source = await parseText({ format: 'alto', page: 1 }, Buffer.from(content));
    if (source === undefined) throw new Error('there is no page');
    const [placed] = wordsOf(placeText(source, { ...image, dpi: { x: 300, y: 300 } }));
    expect(placed?.box).toEqual({ x: 150, y: 300, width: 30, height: 15 });
    expect(wordsOf(placeText(source, image))).toEqual([{ text: 'word' }]);
  });

  it('has places inside of the image only', async () => {
    const words = `<TextLine><String CONTENT="over" HPOS="900" VPOS="0" WIDTH="400" HEIGHT="10"/><String CONTENT="out" HPOS="2000" VPOS="0" WIDTH="10" HEIGHT="10"/><String CONTENT="odd" HPOS="NaN" VPOS="1e99" WIDTH="-4" HEIGHT="10"/></TextLine>`;
    expect(wordsOf(await read('alto', alto(words)))).toEqual([
      { text: 'over', box: { x: 900, y: 0, width: 100, height: 10 } },
      { text: 'out' },
      { text: 'odd' },
    ]);
  });
});

describe('PAGE', () => {
  const line = '<Coords points="100,100 500,100 500,140 100,140"/>';

  it('has lines without words: these get their part of the line', async () => {
    const text = await read(
      'page',
      pageXml(
        `<TextRegion id="r"><TextLine>${line}<TextEquiv conf="0.5"><Unicode>ab cd</Unicode></TextEquiv></TextLine></TextRegion>`,
      ),
    );
    expect(wordsOf(text)).toEqual([
      { text: 'ab', box: { x: 100, y: 100, width: 160, height: 40 }, confidence: 0.5, isShare: true },
      { text: 'cd', box: { x: 340, y: 100, width: 160, height: 40 }, confidence: 0.5, isShare: true },
    ]);
  });

  it.each([
    ['right-to-left', 'rtl', { x: 340, y: 100, width: 160, height: 40 }],
    ['top-to-bottom', 'ttb', { x: 100, y: 100, width: 400, height: 16 }],
  ])('runs %s where it says so', async (readingDirection, direction, box) => {
    const content = `<TextRegion id="r"><TextLine>${line}<TextEquiv><Unicode>ab cd</Unicode></TextEquiv></TextLine></TextRegion>`;
    const text = await read('page', pageXml(content, `readingDirection="${readingDirection}"`));
    expect(text?.direction).toBe(direction);
    expect(wordsOf(text)[0]?.box).toEqual(box);
  });

  it('takes the text with the lowest index, and nothing of glyphs', async () => {
    const glyph = '<Glyph id="g"><Coords points="0,0 1,0 1,1"/><TextEquiv><Unicode>x</Unicode></TextEquiv></Glyph>';
    const word = `<Word id="w">${line}${glyph}<TextEquiv index="1"><Unicode>worse</Unicode></TextEquiv><TextEquiv index="0"><Unicode>better</Unicode></TextEquiv></Word>`;
    const text = await read('page', pageXml(`<TextRegion id="r"><TextLine>${line}${word}</TextLine></TextRegion>`));
    expect(wordsOf(text)).toEqual([{ text: 'better', box: { x: 100, y: 100, width: 400, height: 40 } }]);
  });

  it('has regions in regions and tables, and text of a region alone', async () => {
    const region = (id: string, inside = '') =>
      `<TextRegion id="${id}">${inside}<TextEquiv><Unicode>${id}\nmore</Unicode></TextEquiv></TextRegion>`;
    const text = await read('page', pageXml(`<TableRegion id="t">${region('cell', region('inner'))}</TableRegion>`));
    expect(text && plainText(text)).toBe('cell\nmore\n\ninner\nmore');
  });
});

describe('hOCR', () => {
  it('is read as HTML of any shape, with entities, characters and emphasis inside of words', async () => {
    const word =
      "<span class='ocrx_word' title='bbox 1 2 30 40; x_wconf 87'><strong><em>caf&eacute;</em></strong><span class=\"ocrx_cinfo\">s</span></span>";
    const text = await read('hocr', hocr(`<p class="ocr_par" lang="deu"><br><span class="ocr_line other">${word}`));
    expect(wordsOf(text)).toEqual([{ text: 'cafés', box: { x: 1, y: 2, width: 29, height: 38 }, confidence: 0.87 }]);
    expect(text?.blocks[0]?.language).toBe('de');
  });

  it('has lines without words, and words without lines', async () => {
    const text = await read(
      'hocr',
      hocr('<span class="ocr_line" title="bbox 0 0 500 10">ab cd</span><span class="ocrx_word">alone</span>'),
    );
    expect(wordsOf(text)[1]).toEqual({ text: 'cd', box: { x: 300, y: 0, width: 200, height: 10 }, isShare: true });
    expect(textsOf(text)).toEqual(['ab', 'cd', 'alone']);
  });

  it('has no words of scripts and styles', async () => {
    const word =
      '<span class="ocrx_word" title="bbox 1 2 30 40">herb<script>alert(1)</script><style>b{}</style>a</span>';
    expect(textsOf(await read('hocr', hocr(`<span class="ocr_line">${word}</span>`)))).toEqual(['herba']);
  });

  it('without a page is a fault', async () => {
    expect((await faultOf(read('hocr', '<html><p>words</p></html>'))).message).toContain('ocr_page');
  });
});

describe('plain text', () => {
  const words = 'Größe – 大\nline';

  it.each([
    ['UTF-8', Buffer.from(words)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${words}`)],
    ['UTF-16 of little end', Buffer.from(`\ufeff${words}`, 'utf16le')],
    ['UTF-16 of big end', Buffer.from(`\ufeff${words}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(words, 'utf16le')],
  ])('in %s has the same words', async (_, bytes) => {
    expect(textsOf(await read('plain', bytes))).toEqual(['Größe', '–', '大', 'line']);
  });

  it('of another encoding is a fault', async () => {
    expect((await faultOf(read('plain', Buffer.from('Gr\xf6\xdfe', 'latin1')))).message).toContain('UTF-8');
  });

  it('has lines of every kind, blocks between empty ones, and pages between form feeds', async () => {
    const text = await read('plain', 'a\r\nb\rc\n \nd\n\n\ne\fnext');
    expect(text && plainText(text)).toBe('a\nb\nc\n\nd\n\ne');
    expect(textsOf(await read('plain', 'a\fnext', 2))).toEqual(['next']);
  });

  it('of right-to-left letters runs so', async () =>
    expect((await read('plain', 'שלום עולם a'))?.direction).toBe('rtl'));
});

describe('a text that does not say which way it runs', () => {
  const column = (x: number, text: string, [width, height]: readonly [number, number]) =>
    `<TextLine HPOS="${x}" VPOS="10" WIDTH="${width}" HEIGHT="${height}"><String CONTENT="${text}" HPOS="${x}" VPOS="10" WIDTH="${width}" HEIGHT="${height}"/></TextLine>`;
  const directionOf = async (...lines: readonly string[]) =>
    (await read('alto', alto(`<TextBlock>${lines.join('')}</TextBlock>`)))?.direction;

  it('runs downward where its lines of Chinese, Japanese or Korean stand upright', async () => {
    expect(
      await directionOf(
        column(300, '吾輩は猫である', [20, 140]),
        column(200, 'まだ無い', [20, 80]),
        column(100, '名', [20, 20]),
      ),
    ).toBe('ttb');
    expect(await directionOf(column(300, '대한민국 만세', [20, 140]))).toBe('ttb');
  });
  it('runs across where they lie', async () =>
    expect(await directionOf(column(10, '吾輩は猫である', [140, 20]), column(10, '無い', [20, 40]))).toBe('ltr'));
  it('runs across in other scripts, whose upright lines are turned', async () =>
    expect(await directionOf(column(10, 'Herbarium', [20, 140]))).toBe('ltr'));
  it('runs downward in hOCR of single characters too', async () => {
    const words = [...'吾輩は猫'].map(
      (letter, at) => `<span class="ocrx_word" title="bbox 10 ${at * 20} 30 ${at * 20 + 20}">${letter}</span>`,
    );
    expect((await read('hocr', hocr(`<span class="ocr_line">${words.join('')}</span>`)))?.direction).toBe('ttb');
  });
});

describe('a word that a hyphen parts between two lines', () => {
  it.each([
    ['a soft hyphen', 'Kräu\u00ad', 'terbuch', 'Kräuterbuch'],
    ['a hyphen, where the next line goes on in lower case', 'Kräu-', 'terbuch,', 'Kräuterbuch,'],
    ['a not sign', 'Kräu¬', 'Terbuch', 'KräuTerbuch'],
    ['a double oblique hyphen', 'Kräu⸗', 'terbuch', 'Kräuterbuch'],
  ])('is joined at %s', async (_, first, second, joined) => {
    const words = wordsOf(await read('plain', `ein ${first}\n${second} ist`));
    expect(words.map((word) => word.joined ?? word.text).filter((word) => word !== '')).toEqual(['ein', joined, 'ist']);
    expect(words[1]?.text).toBe(first);
  });

  it.each([
    ['an upper case letter follows', 'Nord-', 'Ost'],
    ['a dash stands alone', '-', 'und'],
    ['a number precedes', '12-', 'mal'],
  ])('is not joined where %s', async (_, first, second) => {
    expect(wordsOf(await read('plain', `${first}\n${second}`)).every(({ joined }) => joined === undefined)).toBe(true);
  });

  it('is not joined across blocks; soft hyphens inside of words are not printed', async () => {
    expect(wordsOf(await read('plain', 'her-\n\nbal so\u00adft'))).toEqual([
      { text: 'her-' },
      { text: 'bal' },
      { text: 'soft' },
    ]);
  });
});

describe('XML in every encoding', () => {
  const withEncoding = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>${alto(altoLine('Größe')).slice(21)}`;

  it.each([
    ['ISO-8859-1', Buffer.from(withEncoding('ISO-8859-1'), 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${withEncoding('UTF-16')}`, 'utf16le')],
    ['UTF-16BE without a mark', Buffer.from(withEncoding('UTF-16BE'), 'utf16le').swap16()],
    ['utf-8', Buffer.from(`\ufeff${withEncoding('utf-8')}`)],
  ])('%s', async (_, bytes) => expect(textsOf(await read('alto', bytes))).toEqual(['Größe']));
});

describe('a faulty file', () => {
  const bomb = `<!DOCTYPE alto [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>`;

  it.each([
    ['that is not well-formed', '<alto>\n<Layout>\n<Page></alto>', 3, 'not well-formed'],
    ['that is cut short', '<alto>\n<Layout>', 2, 'not well-formed'],
    ['with entities of its own, none of which is read', `${bomb}\n<alto>&b;&c;</alto>`, 2, 'not well-formed'],
    ['of another kind', '<mets/>', 1, 'no ALTO'],
    ['of an unknown unit', alto('', { unit: '<MeasurementUnit>furlong</MeasurementUnit>' }), 0, 'MeasurementUnit'],
    ['of an unknown encoding', '<?xml version="1.0" encoding="x-own"?><alto/>', 1, 'encoding'],
    ['with elements that have no end', `<alto>${'<a>'.repeat(1000)}`, 1, 'inside of each other'],
    ['with too many words', alto(`<TextLine>${'<String CONTENT="a"/>'.repeat(100_001)}</TextLine>`), 0, 'words'],
  ])('%s is a fault with its line', async (_, content, line, message) => {
    const fault = await faultOf(read('alto', content));
    expect([fault.line, fault.message]).toEqual([line, expect.stringContaining(message)]);
  });
});
