/** Reads the picture of a site's logo: SVG, or what `readPicture` reads. */
import { readFileSync, statSync } from 'node:fs';
import { type PictureFile, readPicture } from './picture-file.ts';

const maxKibibytes = 512;

/** An XML declaration, comments and a document type may precede the element (XML, section 2.8). */
const svgForm = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:(?:<!--[\s\S]*?-->|<!DOCTYPE[^>]*>)\s*)*<svg[\s>]/;

/** The logo, or a sentence on why it can't be used. It is loaded with each first page, so that it must be small. */
export function readLogo(file: string): PictureFile | { readonly problem: string } {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return { problem: `there is no file ${file}` };
  if (stats.size > maxKibibytes * 1024) return { problem: `${file} is larger than ${maxKibibytes} KiB` };
  if (/\.svg$/i.test(file)) {
    const bytes = readFileSync(file);
    if (svgForm.test(bytes.toString('utf8'))) return { bytes, mediaType: 'image/svg+xml' };
    return { problem: `${file} is no SVG picture` };
  }
  const picture = readPicture(file);
  return 'problem' in picture ? { problem: picture.problem.replace(' is no PNG', ' is no SVG, PNG') } : picture;
}
