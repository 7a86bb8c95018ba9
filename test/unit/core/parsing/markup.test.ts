/** Markup is escaped by construction, whatever the texts are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataBlock, element, textMarkup } from '../../../../src/core/parsing/markup.ts';
import { hostileTexts } from '../../../fixtures/hostile-texts.ts';

const references: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#13;': '\r',
};

/** Reads the text of markup as a parser does. */
const unescaped = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39|#13);/g, (one) => references[one] ?? '');

const hostile = hostileTexts();

describe('markup', () => {
  it('reads back as the text that it was made of, and holds no character that has a meaning', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const html = textMarkup(text);
        expect(html).not.toMatch(/[<>"'\r\0]|&(?!(?:amp|lt|gt|quot|#39|#13);)/);
        expect(unescaped(html)).toBe(text.replaceAll('\0', '\uFFFD'));
      }),
    );
  });

  it('has each attribute in quotes that its value can’t end', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const found = /^<meta name="a" content="([^"<>]*)" \/>$/.exec(element('meta', { name: 'a', content: value }));
        expect(unescaped(found?.[1] ?? '–')).toBe(value.replaceAll('\0', '\uFFFD'));
      }),
    );
  });

  it('writes data that no text in it can end, and that JSON reads back', () => {
    fc.assert(
      fc.property(hostile, fc.jsonValue(), (text, value) => {
        const html = dataBlock('application/ld+json', { text, value });
        const inner = /^<script type="application\/ld\+json">([^<]*)<\/script>$/.exec(html)?.[1] ?? '';
        expect(JSON.parse(inner)).toEqual(JSON.parse(JSON.stringify({ text, value })));
      }),
    );
  });

  it('leaves out attributes without a value, and gives void elements no end tag', () => {
    expect(element('a', { href: 'x', rel: undefined }, textMarkup('1 < 2'))).toBe('<a href="x">1 &lt; 2</a>');
    expect(element('img', { src: 'x', width: 3, alt: '' })).toBe('<img src="x" width="3" alt="" />');
  });
});
