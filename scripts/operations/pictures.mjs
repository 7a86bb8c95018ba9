// Encodes the pictures of the documentation, and compares them by their colors rather than by their bytes.
import sharp from 'sharp';

/** The picture as it is stored. */
export const encodePicture = (bytes) => sharp(bytes).webp({ quality: 88, effort: 6 }).toBuffer();

/** The side in pixels of the squares whose mean colors are compared. */
const squareSide = 8;

/**
 * The largest accepted differences, of 255. A change of the encoder’s input by 1 of 255, or of its effort, changed single
 * pixels by up to 20, the means of squares by up to 6, and the mean of a picture by less than 1.
 */
const tolerance = { ofSquare: 8, ofWhole: 2 };

/** Red, green, blue and alpha, premultiplied, so that the color of transparent pixels doesn’t count. */
async function decode(bytes) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at += 4) {
    for (let channel = 0; channel < 3; channel++) data[at + channel] = (data[at + channel] * data[at + 3]) / 255;
  }
  return { data, width: info.width, height: info.height };
}

/** The mean of each channel in each square of a picture. */
function meansOf({ data, width, height }, side) {
  const columns = Math.ceil(width / side);
  const sums = new Float64Array(columns * Math.ceil(height / side) * 4);
  const counts = new Uint32Array(sums.length);
  for (let at = 0; at < data.length; at++) {
    const pixel = Math.floor(at / 4);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const index = (Math.floor(y / side) * columns + Math.floor(x / side)) * 4 + (at % 4);
    sums[index] += data[at];
    counts[index]++;
  }
  return sums.map((sum, index) => sum / counts[index]);
}

function largestDifference(one, other, side) {
  const others = meansOf(other, side);
  return meansOf(one, side).reduce((largest, mean, at) => Math.max(largest, Math.abs(mean - others[at])), 0);
}

/** Whether two encoded pictures have the same size and, within the tolerance of encoders, the same colors. */
export async function lookAlike(one, other) {
  const [first, second] = await Promise.all([decode(one), decode(other)]);
  const { width, height } = first;
  if (width !== second.width || height !== second.height) return false;
  return (
    largestDifference(first, second, squareSide) <= tolerance.ofSquare &&
    largestDifference(first, second, Math.max(width, height)) <= tolerance.ofWhole
  );
}
