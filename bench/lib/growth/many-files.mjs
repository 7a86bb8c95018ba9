/** Makes libraries of very many files that need little disk space: hard links of a few copies of one small picture. */
import { copyFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

/** File systems limit the number of hard links of a file: ext4 to 65,000. */
const linksOfCopy = 10_000;
const maxPages = 100_000;
const filesInBox = 1000;
const boxesOnShelf = 30;

export const pageSize = { width: 64, height: 48 };

/** Returns a function that links the picture to a path; after every 10,000 links it links another copy. */
function linker(folder) {
  let links = 0;
  let copy;
  return (target) => {
    if (links % linksOfCopy === 0) {
      const next = path.join(folder, `copy-${links / linksOfCopy}.jpg`);
      if (copy !== undefined) copyFileSync(copy, next);
      copy = copy === undefined ? path.join(folder, 'first.jpg') : next;
    }
    links += 1;
    linkSync(copy, target);
  };
}

function fill(folder, count, link) {
  mkdirSync(folder, { recursive: true });
  for (let index = 1; index <= count; index++) {
    link(path.join(folder, `page-${String(index).padStart(6, '0')}.jpg`));
  }
}

/**
 * Makes `count` files in `library` below the folder: at most 100,000 in `pages`, the others in folders of a thousand, two
 * levels deep. Resolves to the library’s folder and the number of pages.
 */
export async function makeManyFiles(folder, count) {
  const originals = path.join(folder, 'originals');
  const library = path.join(folder, 'library');
  mkdirSync(originals, { recursive: true });
  const picture = sharp({ create: { ...pageSize, channels: 3, background: { r: 120, g: 90, b: 60 } } });
  writeFileSync(path.join(originals, 'first.jpg'), await picture.jpeg().toBuffer());
  const link = linker(originals);
  const pages = Math.min(count, maxPages);
  fill(path.join(library, 'pages'), pages, link);
  for (let made = pages, box = 0; made < count; made += filesInBox, box++) {
    const shelf = `shelf-${Math.floor(box / boxesOnShelf)}`;
    fill(path.join(library, shelf, `box-${box}`), Math.min(filesInBox, count - made), link);
  }
  return { library, pages };
}
