/** A temporary digilib site for tests: a webapp with its WEB-INF, and base directories with images. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const image = fileURLToPath(new URL('fixtures/golden/images/hires/photos/tiny100x80.jpg', import.meta.url));
const assets = fileURLToPath(new URL('../assets', import.meta.url));

export interface Site {
  /** Contains the webapp and, in `images`, the base directories `hires` and `scaled`. */
  readonly folder: string;
  readonly webapp: string;
  readonly configFile: string;
  /** Writes a file below the webapp. */
  write(name: string, content: string | Buffer): string;
  /** Writes the digilib-config.xml, by pairs of name and value. */
  configure(parameters: Readonly<Record<string, string>>): void;
  remove(): void;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The text of a digilib-config.xml. */
export const configText = (parameters: Readonly<Record<string, string>>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<digilib-config>\n${Object.entries(parameters)
    .map(([name, value]) => `  <parameter name="${escaped(name)}" value="${escaped(value)}"/>\n`)
    .join('')}</digilib-config>\n`;

/** A site with an empty digilib-config.xml. */
export function makeSite(): Site {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-site-')));
  const webapp = path.join(folder, 'webapp');
  mkdirSync(path.join(webapp, 'WEB-INF'), { recursive: true });
  mkdirSync(path.join(webapp, 'img'));
  for (const name of ['hires/photos/tiny.jpg', 'hires/secret/tiny.jpg', 'scaled/photos/tiny.jpg']) {
    cpSync(image, path.join(folder, 'images', name));
  }
  cpSync(path.join(assets, 'denied.png'), path.join(webapp, 'img/mine.png'));
  const write = (name: string, content: string | Buffer): string => {
    const file = path.join(webapp, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const site: Site = {
    folder,
    webapp,
    configFile: path.join(webapp, 'WEB-INF/digilib-config.xml'),
    write,
    configure: (parameters) => void write('WEB-INF/digilib-config.xml', configText(parameters)),
    remove: () => rmSync(folder, { recursive: true }),
  };
  site.configure({});
  return site;
}
