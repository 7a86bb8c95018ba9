/** A library for tests of browsing: a described folder, a long one, an empty one, and an image that can't be read. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { quartered } from '../pixels/pictures.ts';
import { serveFrom, type TemporaryServer } from './temporary-server.ts';

export const longFolderImages = 250;

const longValue = 'A line that says more than fits beside the others. '.repeat(12).trim();

const metadata = `label: { en: An atlas, de: Ein Atlas }
summary: { en: Maps of nowhere., de: Karten von nirgendwo. }
metadata:
  Date: 1890
  Note: "${longValue}"
rights: https://creativecommons.org/publicdomain/mark/1.0/
pages:
  - wide: Frontispiece
`;

async function writeImages(folder: string): Promise<void> {
  for (const name of ['atlas/plates', 'long', 'nothing', 'torn'])
    mkdirSync(path.join(folder, name), { recursive: true });
  await quartered(400, 300).png().toFile(path.join(folder, 'atlas/wide.png'));
  await quartered(300, 400).jpeg({ quality: 95 }).toFile(path.join(folder, 'atlas/tall page.jpg'));
  await quartered(300, 300).png().toFile(path.join(folder, 'atlas/plates/Ölberg.png'));
  writeFileSync(path.join(folder, 'atlas/metadata.yaml'), metadata);
  writeFileSync(path.join(folder, 'torn/torn.jpg'), 'no picture at all');
  const tiny = await quartered(60, 80).png().toBuffer();
  for (let number = 1; number <= longFolderImages; number += 1) {
    writeFileSync(path.join(folder, 'long', `leaf-${String(number).padStart(3, '0')}.png`), tiny);
  }
}

/** Starts an app with the library at the context path `/books`. */
export async function startBrowseLibrary(settings: SettingsInput = {}): Promise<TemporaryServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-browse-'));
  await writeImages(folder);
  return serveFrom(folder, {
    ...settings,
    library: { folders: [folder], ...settings.library },
    http: { contextPath: '/books', ...settings.http },
  });
}
