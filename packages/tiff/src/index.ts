/** The package's API. */
export { type ByteSource, bufferSource, TiffError } from './bytes.ts';
export {
  readDirectories,
  readNumber,
  readNumbers,
  type TiffBytes,
  type TiffDirectory,
  type TiffEntry,
  type TiffFile,
} from './directories.ts';
export { createExtentCheck, type ExtentCheck } from './extents.ts';
export { type PixelDescription, type PixelSize, wrapPixels } from './strip.ts';
export { type TiledTiff, tiledTiff } from './tiled.ts';
