/** Integers and 32-bit floats as digilib reads and prints them, which is as Java does (digilib.md, section 1). */

const integerForm = /^[+-]?[0-9]+$/;

/** Reads a 32-bit integer: ASCII digits with an optional sign. Undefined for anything else or out of range. */
export function parseInteger(text: string): number | undefined {
  if (!integerForm.test(text)) return undefined;
  const value = Number(text);
  if (value < -2_147_483_648 || value > 2_147_483_647) return undefined;
  return value === 0 ? 0 : value;
}

const floatForm = /^[\0- ]*([+-]?)([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?[fFdD]?[\0- ]*$/;

/** Reads a 32-bit float, correctly rounded from its decimal. Undefined when it does not parse or is not finite. */
export function parseFloat32(text: string): number | undefined {
  const match = floatForm.exec(text);
  if (match === null) return undefined;
  const [, sign = '', digits = '', exponent = '0'] = match;
  const magnitude = roundToFloat32(digits, exponent);
  if (!Number.isFinite(magnitude)) return undefined;
  return sign === '-' ? -magnitude : magnitude;
}

/** Rounding to 64 and then to 32 bits is wrong only where the double is halfway between two floats; then the decimal decides. */
function roundToFloat32(digits: string, exponent: string): number {
  const double = Number(`${digits}e${exponent}`);
  const nearest = Math.fround(double);
  if (nearest === double || !Number.isFinite(double)) return nearest;
  const other = double > nearest ? nextFloatUp(nearest) : nextFloatDown(nearest);
  const isHalfway = Math.abs(double - nearest) === Math.abs(other - double);
  if (!isHalfway) return nearest;
  const side = compareDecimal(digits, exponent, double);
  if (side === 0) return nearest;
  return side > 0 ? Math.max(nearest, other) : Math.min(nearest, other);
}

const floatBits = new DataView(new ArrayBuffer(4));

function stepFloat(value: number, step: number): number {
  floatBits.setFloat32(0, value);
  floatBits.setInt32(0, floatBits.getInt32(0) + step);
  return floatBits.getFloat32(0);
}

const nextFloatUp = (value: number): number => (value === Number.POSITIVE_INFINITY ? value : stepFloat(value, 1));
const nextFloatDown = (value: number): number => (value === 0 ? 0 : stepFloat(value, -1));

/** Compares a decimal (digits with a point, times ten to the exponent) with a positive double, exactly. */
function compareDecimal(digits: string, exponent: string, double: number): number {
  const [whole = '', fraction = ''] = digits.split('.');
  const power = Number(exponent) - fraction.length;
  const [mantissa, binaryPower] = decompose(double);
  let left = BigInt(whole + fraction);
  let right = mantissa;
  if (power >= 0) left *= 10n ** BigInt(power);
  else right *= 10n ** BigInt(-power);
  if (binaryPower >= 0) right <<= BigInt(binaryPower);
  else left <<= BigInt(-binaryPower);
  if (left === right) return 0;
  return left > right ? 1 : -1;
}

/** A positive double as an integer times a power of two. */
function decompose(double: number): [bigint, number] {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, double);
  const all = bits.getBigUint64(0);
  const field = Number((all >> 52n) & 0x7ffn);
  const fraction = all & 0xfffffffffffffn;
  return field === 0 ? [fraction, -1074] : [fraction | (1n << 52n), field - 1075];
}

/** The Java that digilib runs on prints the smallest normal float with one digit more than it needs. */
const smallestNormal = { value: 2 ** -126, digits: '117549435', exponent: -38 };

/**
 * Prints a 32-bit float as the shortest decimal that reads back to it, always with a fraction; below 1e-3 and from 1e7
 * with an exponent. Where one digit would do, the closest of two digits is taken, as Java does (1.4E-45).
 */
export function formatFloat32(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const sign = value < 0 ? '-' : '';
  const { digits, exponent } = shortestDigits(Math.abs(value));
  return sign + (exponent >= -3 && exponent < 7 ? plainForm(digits, exponent) : exponentForm(digits, exponent));
}

interface Decimal {
  /** Significant digits without a point; the first stands before it. */
  readonly digits: string;
  /** The power of ten of the first digit. */
  readonly exponent: number;
}

function shortestDigits(magnitude: number): Decimal {
  if (magnitude === smallestNormal.value) return smallestNormal;
  for (let count = 2; count <= 9; count++) {
    const found = closestThatReadsBack(magnitude, count);
    if (found !== undefined) return found;
  }
  return decimalOf(magnitude.toExponential(16));
}

/** The closest decimal of `count` digits that reads back to the value; its neighbors count where the spacing of floats changes. */
function closestThatReadsBack(magnitude: number, count: number): Decimal | undefined {
  const { digits, exponent } = decimalOf(magnitude.toExponential(count - 1));
  const middle = Number(digits);
  const candidates = [middle, middle - 1, middle + 1].filter((candidate) => String(candidate).length === count);
  const readsBack = candidates.filter((c) => parseFloat32(`${c}e${exponent - count + 1}`) === magnitude);
  const [first] = readsBack.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return first === undefined ? undefined : { digits: String(first), exponent };
}

function decimalOf(exponential: string): Decimal {
  const [mantissa = '', exponent = '0'] = exponential.split('e');
  return { digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

const withoutTrailingZeros = (digits: string): string => digits.replace(/0+$/, '');

function plainForm(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${withoutTrailingZeros(digits)}`;
  const padded = digits.padEnd(exponent + 1, '0');
  return `${padded.slice(0, exponent + 1)}.${withoutTrailingZeros(padded.slice(exponent + 1)) || '0'}`;
}

const exponentForm = (digits: string, exponent: number): string =>
  `${digits.slice(0, 1)}.${withoutTrailingZeros(digits.slice(1)) || '0'}E${exponent}`;
