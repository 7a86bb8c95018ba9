import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatFloat32, parseFloat32, parseInteger } from '../../../../src/features/digilib/numbers.ts';

describe('integers', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['007', 7],
    ['+3', 3],
    ['-1', -1],
    ['2147483647', 2_147_483_647],
    ['-2147483648', -2_147_483_648],
  ])('%j is read as %d', (text, value) => expect(parseInteger(text)).toBe(value));

  test.each([
    '',
    ' 12',
    '12 ',
    '1.0',
    '1e3',
    '0x10',
    '2147483648',
    '-2147483649',
    '99999999999',
    '１２',
    '+',
    '--1',
    'abc',
  ])('%j does not parse', (text) => expect(parseInteger(text)).toBeUndefined());
});

describe('floats', () => {
  test.each([
    ['0', '0.0'],
    ['-0', '-0.0'],
    ['1', '1.0'],
    ['0.5', '0.5'],
    ['.5', '0.5'],
    ['+.5', '0.5'],
    ['1.', '1.0'],
    ['1.e2', '100.0'],
    ['1D', '1.0'],
    ['1f', '1.0'],
    [' 2.5 ', '2.5'],
    ['0.001', '0.001'],
    ['2.0E-3', '0.002'],
    ['0.0009', '9.0E-4'],
    ['1e-7', '1.0E-7'],
    ['9999999', '9999999.0'],
    ['9999999.5', '1.0E7'],
    ['16777217', '1.6777216E7'],
    ['33554432', '3.3554432E7'],
    ['123456789', '1.2345679E8'],
    ['0.3333333333', '0.33333334'],
    ['1.1920929e-7', '1.1920929E-7'],
    ['3.4e38', '3.4E38'],
    ['3.4028235e38', '3.4028235E38'],
    ['3.4028235E38', '3.4028235E38'],
    ['3.4028233E38', '3.4028233E38'],
    ['1.17549435E-38', '1.17549435E-38'],
    ['-1.1754944e-38', '-1.17549435E-38'],
    ['1.1754945E-38', '1.1754945E-38'],
    ['1.1754942E-38', '1.1754942E-38'],
    ['2.3509887E-38', '2.3509887E-38'],
    ['5.877472E-39', '5.877472E-39'],
    ['2e-45', '1.4E-45'],
    ['2.8E-45', '2.8E-45'],
    ['9.8e-45', '9.8E-45'],
    ['1.1E-44', '1.1E-44'],
    ['6.1035156e-5', '6.1035156E-5'],
    ['9.765625E-4', '9.765625E-4'],
    ['0.001953125', '0.001953125'],
    ['4194304', '4194304.0'],
    ['8388608', '8388608.0'],
    ['1.8446744E19', '1.8446744E19'],
    ['1.7014118e38', '1.7014118E38'],
    ['5e-324', '0.0'],
    ['1e-99999999', '0.0'],
    ['-0.1', '-0.1'],
    ['100', '100.0'],
    ['1234567', '1234567.0'],
    ['12345678', '1.2345678E7'],
    ['8.5899346E9', '8.589935E9'],
    ['2e10', '2.0E10'],
  ])('%j prints as %s', (text, printed) => {
    const value = parseFloat32(text);
    expect(value).toBeDefined();
    expect(formatFloat32(value ?? Number.NaN)).toBe(printed);
  });

  test.each([
    '',
    ' ',
    '.',
    'e5',
    '1e',
    '1e+',
    'inf',
    'NaN',
    'Infinity',
    '0x1p3',
    '1L',
    '1 2',
    '1,5',
    '１',
    '1e39',
    '3.5e38',
    'fd',
    '1ff',
  ])('%j does not parse', (text) => expect(parseFloat32(text)).toBeUndefined());

  it('rounds a decimal once, not first to 64 bits', () => {
    // Just above halfway between 1 and the next float: as a double it is exactly halfway, and would go down to even.
    expect(parseFloat32('1.00000005960464477539062500000000000000000001')).toBe(1 + 2 ** -23);
    expect(parseFloat32('1.000000059604644775390625')).toBe(1);
    expect(parseFloat32('1.00000005960464477539062499999999999999999999')).toBe(1);
    // Below halfway between an odd and an even float: the double is halfway and would go up to even.
    expect(parseFloat32('1.00000017881393432617187499999999999999999999')).toBe(1 + 2 ** -23);
    expect(
      parseFloat32(
        '0.00000000000000000000000000000000000000000000070064923216240853546186479164495806564013097093825788587853e0',
      ),
    ).toBe(0);
    expect(
      parseFloat32(
        '0.00000000000000000000000000000000000000000000070064923216240853546186479164495806564013097093825788587854e0',
      ),
    ).toBe(2 ** -149);
  });

  const anyFloat = fc.integer({ min: -0x80000000, max: 0x7fffffff }).map((bits) => {
    const view = new DataView(new ArrayBuffer(4));
    view.setInt32(0, bits);
    return view.getFloat32(0);
  });

  /** Printed with one digit more than it needs. */
  const smallestNormal = 2 ** -126;

  it('prints every finite float so that it reads back, and no shorter decimal does', () => {
    fc.assert(
      fc.property(anyFloat.filter(Number.isFinite), (value) => {
        const printed = formatFloat32(value);
        expect(Object.is(parseFloat32(printed), value)).toBe(true);
        expect(printed).toMatch(/^-?\d+\.\d+(E-?\d+)?$/);
        const digits = printed
          .replace(/E.*$/, '')
          .replace(/[-.]/g, '')
          .replace(/^0+|0+$/g, '');
        if (digits.length > 2 && Math.abs(value) !== smallestNormal) {
          const shorter = value.toPrecision(digits.length - 1);
          expect(Math.fround(Number(shorter))).not.toBe(value);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
