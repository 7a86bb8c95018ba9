import { describe, expect, it } from 'vitest';
import { wordDocument } from '../../../../../web/src/ui/desk/word.ts';
import { zipOf } from '../../../../../web/src/ui/desk/zip.ts';
import { readZip } from '../../../../zip-reader.ts';

const text = (entries: ReadonlyMap<string, Buffer>, name: string): string => entries.get(name)?.toString('utf8') ?? '';

describe('an archive', () => {
  it('has the bytes and the names of its entries', async () => {
    const entries = await readZip(
      Buffer.from(
        zipOf([
          { name: 'ä/b.txt', bytes: Buffer.from('hello') },
          { name: 'empty', bytes: new Uint8Array() },
        ]),
      ),
    );
    expect([...entries.keys()]).toEqual(['ä/b.txt', 'empty']);
    expect(text(entries, 'ä/b.txt')).toBe('hello');
  });
});

describe('a document for Word', () => {
  it('has texts, links and pictures, with all that they refer to', async () => {
    const entries = await readZip(
      Buffer.from(
        wordDocument([
          { kind: 'heading', text: 'A & B <c>' },
          { kind: 'text', text: 'one\ntwo\u0001' },
          { kind: 'link', text: 'there', address: 'https://a.example/view/x?a=1&b=2' },
          { kind: 'picture', jpeg: Buffer.from('jpeg'), size: { width: 200, height: 100 }, alt: '"1r"' },
        ]),
      ),
    );
    const document = text(entries, 'word/document.xml');
    expect(document).toContain('A &amp; B &lt;c&gt;');
    expect(document).toContain('one</w:t><w:br/><w:t xml:space="preserve">two</w:t>');
    expect(document).toContain('<w:hyperlink r:id="r3">');
    expect(document).toContain('cx="5029200" cy="2514600"');
    const relations = text(entries, 'word/_rels/document.xml.rels');
    expect(relations).toContain('Target="https://a.example/view/x?a=1&amp;b=2" TargetMode="External"');
    expect(relations).toContain('Id="r4"');
    expect(text(entries, 'word/media/4.jpg')).toBe('jpeg');
    expect([...entries.keys()].slice(0, 2)).toEqual(['[Content_Types].xml', '_rels/.rels']);
  });
});
