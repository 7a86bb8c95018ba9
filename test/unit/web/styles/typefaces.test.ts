/** The typefaces of the reading room: how many bytes they take, and which letters they have. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { create } from 'fontkit';
import { expect, it } from 'vitest';

const styles = fileURLToPath(new URL('../../../../web/src/styles/', import.meta.url));
const folder = path.join(styles, 'fonts');

function fontOf(name: string) {
  const font = create(readFileSync(path.join(folder, name)));
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${name} is no single font`);
  return font;
}

const lacking = (name: string, text: string): readonly string[] =>
  [...new Set(text)].filter((letter) => !fontOf(name).hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));

/** The parts of `unicode-range` of a file. */
function rangeOf(name: string): readonly (readonly [from: number, to: number])[] {
  const rule = readFileSync(path.join(styles, 'fonts.css'), 'utf8')
    .split('@font-face')
    .find((text) => text.includes(`/${name}"`));
  const range = /unicode-range:([^;]*);/.exec(rule ?? '')?.[1] ?? '';
  return range.split(',').map((part) => {
    const [from = '', to = from] = part.trim().slice(2).split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
  });
}

it('takes less than 80 kB, with its license beside it', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.woff2'));
  const bytes = files.reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
  expect(bytes).toBeLessThan(80_000);
  expect(readFileSync(path.join(folder, 'OFL.txt'), 'utf8')).toContain('SIL OPEN FONT LICENSE');
});

it('has the letters of the languages of the room, and those of transcriptions in one file with their marks', () => {
  const plain = 'AZaz019 äöüßÄÖÜéèêëàâçîïôûùœæŒÆ«»„“”‘’…–—·×';
  expect(lacking('sans.woff2', plain)).toEqual([]);
  expect(lacking('serif.woff2', `${plain}ſꝛ⁊ꝑꝓꝗꝙꝭꝯꝰ\u0303\u0304\u0305\u0308\u0323\u0363\u0364\u0366\u0367`)).toEqual(
    [],
  );
  for (const name of ['serif-ext.woff2', 'sans-ext.woff2']) expect(lacking(name, 'āēīōūčšžłęąőűșț')).toEqual([]);
});

it.each(['serif.woff2', 'serif-ext.woff2', 'sans.woff2', 'sans-ext.woff2'])(
  'announces of %s no letter that it lacks',
  (name) => {
    const font = fontOf(name);
    const announced = rangeOf(name).flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, at) => from + at),
    );
    const absent = announced.filter((code) => !font.hasGlyphForCodePoint(code));
    expect(announced.length).toBeGreaterThan(100);
    expect(absent).toEqual([]);
  },
);
