/** Links in the values of metadata: of web addresses, and of HTML with few elements. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedAddress, beginningOf, linkedPieces } from '../../../../../web/src/model/text/metadata-text.ts';

const link = (href: string, text = href) => ({ text, href });
const text = (value: string) => ({ text: value });

describe('the pieces of a text', () => {
  it.each([
    ['A plain text', [text('A plain text')]],
    ['', []],
    ['See https://a.example/x?y=1#z.', [text('See '), link('https://a.example/x?y=1#z'), text('.')]],
    ['(http://a.example/b)', [text('('), link('http://a.example/b'), text(')')]],
    ['https://a.example/b_(c)', [link('https://a.example/b_(c)')]],
    ['javascript:alert(1)', [text('javascript:alert(1)')]],
    ['1 < 2 & 3', [text('1 < 2 & 3')]],
    [
      '<a href="https://a.example/?a=1&amp;b=2">The <i>catalog</i></a>',
      [link('https://a.example/?a=1&b=2', 'The '), link('https://a.example/?a=1&b=2', 'catalog')],
    ],
    ["<a class=x href='mailto:a@b.example'>Write</a>", [link('mailto:a@b.example', 'Write')]],
    ['<a href="javascript:alert(1)">No</a>', [text('No')]],
    ['<a href="java&#115;cript:alert(1)">No</a>', [text('No')]],
    ['<a href=" jAvAsCrIpT:alert(1)">No</a>', [text('No')]],
    ['<a href="data:text/html,x">No</a>', [text('No')]],
    ['<a href="/relative">No</a>', [text('No')]],
    ['<p>One</p><p>Two<br/>three</p>', [text('One'), text('\n'), text('Two'), text('\n'), text('three'), text('\n')]],
    ['<span>a &lt; b &eacute; &#233;&#x2014;</span>', [text('a < b &eacute; é—')]],
    ['<b>x</b><script>alert("1 < 2")</script><!-- <a href="https://b.example"> --><i>y</i>', [text('x'), text('y')]],
    ['<i>https://a.example/x</i>', [link('https://a.example/x')]],
  ])('%s', (value, pieces) => expect(linkedPieces(value)).toEqual(pieces));

  it('of any text have links with allowed schemes only, and plain texts read back', () => {
    const hostile = fc.array(
      fc.constantFrom(
        '<a href="',
        "<a href='",
        'javascript:',
        'https://a.example/',
        '">',
        "'>",
        '</a>',
        '<script>',
        '</script>',
        '<',
        '>',
        '&',
        ' ',
        'x',
        '<!--',
        '-->',
        '&#58;',
        '\u0001',
        '\n',
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(hostile, (parts) => {
        const value = parts.join('');
        const pieces = linkedPieces(value);
        for (const { href } of pieces)
          if (href !== undefined) expect(new URL(href).protocol).toMatch(/^(?:https?|mailto):$/);
        if (!/^<[\s\S]*>$/.test(value.trim())) expect(pieces.map((piece) => piece.text).join('')).toBe(value);
      }),
    );
  });

  it('take time that grows with the length only', () => {
    const start = performance.now();
    for (const part of ['<a href="', '<', '<!--', '&#', 'https://', '<a ', '"', "<a '"])
      linkedPieces(`<${part.repeat(20_000)}>`);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});

describe('an allowed address', () => {
  it.each([
    ['https://a.example/', 'https://a.example/'],
    [' http://a.example ', 'http://a.example'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['ftp://a.example', undefined],
    ['JAVASCRIPT:1', undefined],
    ['//a.example', undefined],
    ['', undefined],
  ])('%s: %s', (address, allowed) => expect(allowedAddress(address)).toBe(allowed));
});

describe('the beginning of a long text', () => {
  const long = [text('One two three '), link('https://a.example/', 'four five'), text(' six seven')];
  it('ends after a word, and has links whole or not at all', () => {
    expect(beginningOf(long, 100)).toBeUndefined();
    expect(beginningOf(long, 12)).toEqual([text('One two'), text(' …')]);
    expect(beginningOf(long, 18)).toEqual([text('One two three '), text(' …')]);
    expect(beginningOf(long, 28)).toEqual([
      text('One two three '),
      link('https://a.example/', 'four five'),
      text(' six'),
      text(' …'),
    ]);
  });
});
