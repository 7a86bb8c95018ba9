/** The quantization and Huffman tables that most encoders use (ITU-T T.81, annex K), as libjpeg writes them. */
import { zigzag } from '@lectern/jpeg';

/** Which of a pair of tables a component uses: the first or only one, or the others. */
interface Pair<T> {
  readonly luma: T;
  readonly chroma: T;
}

/** A Huffman table as the header defines it (section B.2.4.2). */
export interface StandardCodes {
  /** Number of codes of each length, from 1 to 16 bits. */
  readonly counts: Uint8Array;
  /** From the shortest code on. */
  readonly symbols: Uint8Array;
}

/** For quality 50, in rows. */
const quantization: Pair<readonly number[]> = {
  luma: [
    ...[16, 11, 10, 16, 24, 40, 51, 61],
    ...[12, 12, 14, 19, 26, 58, 60, 55],
    ...[14, 13, 16, 24, 40, 57, 69, 56],
    ...[14, 17, 22, 29, 51, 87, 80, 62],
    ...[18, 22, 37, 56, 68, 109, 103, 77],
    ...[24, 35, 55, 64, 81, 104, 113, 92],
    ...[49, 64, 78, 87, 103, 121, 120, 101],
    ...[72, 92, 95, 98, 112, 100, 103, 99],
  ],
  chroma: [
    ...[17, 18, 24, 47, 99, 99, 99, 99],
    ...[18, 21, 26, 66, 99, 99, 99, 99],
    ...[24, 26, 56, 99, 99, 99, 99, 99],
    ...[47, 66, 99, 99, 99, 99, 99, 99],
    ...Array.from({ length: 32 }, () => 99),
  ],
};

/** The numbers by which coefficients are divided, in the order of the scan, for a quality from 1 to 100 as libjpeg understands it. */
export function quantizationOf(kind: keyof Pair<unknown>, quality: number): Uint8Array {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - quality * 2;
  return zigzag.map((place) => {
    const number = Math.floor(((quantization[kind][place] ?? 0) * percent + 50) / 100);
    return Math.min(Math.max(number, 1), 255);
  });
}

function codes(counts: readonly number[], symbols: string): StandardCodes {
  return { counts: Uint8Array.from({ length: 16 }, (_, at) => counts[at] ?? 0), symbols: Buffer.from(symbols, 'hex') };
}

const sizes = '000102030405060708090a0b';

/** For the differences of DC values: the symbols are numbers of bits (tables K.3 and K.4). */
export const differenceCodes: Pair<StandardCodes> = {
  luma: codes([0, 1, 5, 1, 1, 1, 1, 1, 1], sizes),
  chroma: codes([0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1], sizes),
};

/** For the other coefficients: the symbols are numbers of zeros and of bits (tables K.5 and K.6). */
export const coefficientCodes: Pair<StandardCodes> = {
  luma: codes(
    [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
    '01020300041105122131410613516107227114328191a1082342b1c11552d1f0' +
      '2433627282090a161718191a25262728292a3435363738393a43444546474849' +
      '4a535455565758595a636465666768696a737475767778797a83848586878889' +
      '8a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5' +
      'c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
  ),
  chroma: codes(
    [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
    '0001020311040521310612415107617113223281081442' +
      '91a1b1c109233352f0156272d10a162434e125f11718191a262728292a353637' +
      '38393a434445464748494a535455565758595a636465666768696a7374757677' +
      '78797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3' +
      'b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa',
  ),
};
