/** The package's API. */
export { type ByteSource, bufferSource, type ReadAt, readerOf } from './bytes.ts';
export { Jpeg2000Error } from './error.ts';
export { type FilePart, readerOfParts } from './file-parts.ts';
export { type Jpeg2000Header, readHeader } from './header.ts';
export * from './model.ts';
export { decoderName, findNativeDecoder, type NativeDecoder } from './native.ts';
export {
  type Jpeg2000File,
  type RegionPixels,
  type RegionPlace,
  type RegionRead,
  RegionReader,
  readStored,
} from './region.ts';
export { type PartsLimits, PartsReader, type RemoteFile } from './region-parts.ts';
