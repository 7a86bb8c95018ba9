/** The fonts of the cover: Noto Serif for European scripts, its relatives for Arabic and Hebrew, and those of the site for others. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

export type Weight = 'regular' | 'bold';

export interface CoverFont {
  /** Unique among the fonts. */
  readonly name: string;
  /** A TrueType, OpenType or WOFF file. */
  readonly file: Buffer;
  has(codePoint: number): boolean;
}

export interface CoverFonts {
  /** The font that draws a character; undefined where none has it. */
  fontFor(codePoint: number, weight: Weight): CoverFont | undefined;
}

const serif = (script: string, weight: number): string =>
  `@fontsource/noto-serif/files/noto-serif-${script}-${weight}-normal.woff`;

const scripts = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'];

/** In one weight only: their letters are told apart by size and color. */
const others = [
  '@fontsource/noto-naskh-arabic/files/noto-naskh-arabic-arabic-400-normal.woff',
  '@fontsource/noto-serif-hebrew/files/noto-serif-hebrew-hebrew-400-normal.woff',
];

const files: Readonly<Record<Weight, readonly string[]>> = {
  regular: [...scripts.map((script) => serif(script, 400)), ...others],
  bold: [...scripts.map((script) => serif(script, 600)), ...others],
};

/** Where Debian, Fedora and Alpine put a font for Chinese, Japanese and Korean that a PDF can contain in part. */
const systemFonts = [
  '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf',
  '/usr/share/fonts/google-droid-sans-fonts/DroidSansFallbackFull.ttf',
  '/usr/share/fonts/droid-nonlatin/DroidSansFallbackFull.ttf',
];

/** A font of a collection, such as a .ttc file, is its first one. */
function opened(file: Buffer): Font | undefined {
  const font = create(file);
  return 'fonts' in font ? undefined : font;
}

function readFont(path: string): CoverFont | undefined {
  try {
    const file = readFileSync(path);
    const font = opened(file);
    return font && { name: path, file, has: (codePoint) => font.hasGlyphForCodePoint(codePoint) };
  } catch {
    return undefined;
  }
}

const packages = createRequire(import.meta.url);

/** The characters whose font is remembered; a few thousand are many for covers. */
const mostKnown = 20_000;

/** The fonts; those that the site names are asked after Lectern's own. Files are read when a character needs them. */
export function openCoverFonts(named: readonly string[]): CoverFonts {
  const known = new Map<string, CoverFont | undefined>();
  const load = (path: string): CoverFont | undefined => {
    if (!known.has(path)) known.set(path, readFont(path));
    return known.get(path);
  };
  const pathsOf = (weight: Weight): readonly string[] => [
    ...files[weight].map((name) => packages.resolve(name)),
    ...named,
    ...systemFonts,
  ];
  const paths = { regular: pathsOf('regular'), bold: pathsOf('bold') };
  const found = { regular: new Map<number, CoverFont>(), bold: new Map<number, CoverFont>() };
  return {
    fontFor(codePoint, weight) {
      const known = found[weight].get(codePoint);
      if (known !== undefined) return known;
      for (const path of paths[weight]) {
        const font = load(path);
        if (!font?.has(codePoint)) continue;
        if (found[weight].size < mostKnown) found[weight].set(codePoint, font);
        return font;
      }
      return undefined;
    },
  };
}
