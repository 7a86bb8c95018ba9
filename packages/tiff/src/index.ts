/** The package's API. */
export { type ByteSource, bufferSource, readExactly, TiffError } from './bytes.ts';
export {
  readDirectories,
  readDirectoryAt,
  readNumber,
  readNumbers,
  type TiffBytes,
  type TiffDirectory,
  type TiffEntry,
  type TiffFile,
  tags,
} from './directories.ts';
export {
  type Area,
  type BlockGrid,
  countBlocks,
  type ExcerptPlan,
  type Place,
  planExcerpt,
  readBlockGrid,
  writeExcerpt,
} from './excerpt.ts';
export { createExtentCheck, type ExtentCheck } from './extents.ts';
export {
  directoryOf,
  headerBytes,
  headerOf,
  type Pixels,
  type TiledTiff,
  tiledTiff,
  type WrittenEntry,
  wrapPixels,
} from './write.ts';
