// Makes the library of the simulation: books of scans of one size, half of them JPEG files without a pyramid, half tiled pyramids.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { syntheticPhoto } from '../../bench/lib/synthetic-photo.mjs';

/** The size of every scan, so that what was recorded for one of them can be asked for any other. */
export const scanSize = { width: 2000, height: 1500 };

export const pagesPerBook = 20;

const distinctPictures = 4;

export const bookName = (book) => `b${String(book).padStart(4, '0')}`;

/** The file of a page, from 0; every second one is a pyramid. */
export const pageName = (page) => `p${String(page).padStart(2, '0')}.${page % 2 === 0 ? 'jpg' : 'tif'}`;

/** A JPEG file with a comment after its first marker. */
function withComment(jpeg, text) {
  const comment = Buffer.from(text);
  const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, comment, jpeg.subarray(2)]);
}

async function makePictures(seed) {
  const pictures = [];
  for (let index = 0; index < distinctPictures; index++) {
    const raw = { ...scanSize, channels: 3 };
    const image = sharp(syntheticPhoto(scanSize, seed * 100 + index), { raw });
    const tiff = { compression: 'jpeg', quality: 75, tile: true, tileWidth: 256, tileHeight: 256, pyramid: true };
    const [jpg, tif] = await Promise.all([
      image.clone().jpeg({ quality: 75 }).toBuffer(),
      image.clone().tiff(tiff).toBuffer(),
    ]);
    pictures.push({ jpg, tif });
  }
  return pictures;
}

/**
 * Makes so many images. There are few pictures, since to compute 5,000 takes too long, but each image is a file of its own with
 * bytes of its own: no cache of the server can take one for another, by inode, by checksum or by name.
 */
export async function makeLibrary(folder, images, seed) {
  const pictures = await makePictures(seed);
  for (let index = 0; index < images; index++) {
    const [book, page] = [Math.floor(index / pagesPerBook), index % pagesPerBook];
    const at = path.join(folder, bookName(book));
    if (page === 0) await mkdir(at, { recursive: true });
    const { jpg, tif } = pictures[Math.floor(index / 2) % distinctPictures];
    const mark = `image ${index}`;
    const file = page % 2 === 0 ? withComment(jpg, mark) : Buffer.concat([tif, Buffer.from(mark)]);
    await writeFile(path.join(at, pageName(page)), file);
  }
  return { folder, images, books: Math.ceil(images / pagesPerBook) };
}
