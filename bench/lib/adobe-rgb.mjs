/** An ICC profile with the primaries of Adobe RGB (1998): archival masters often carry such a one. */

const fixed = (value) => Math.round(value * 65_536);

function xyz(...values) {
  const bytes = Buffer.alloc(20);
  bytes.write('XYZ ', 'latin1');
  for (const [index, value] of values.entries()) bytes.writeInt32BE(fixed(value), 8 + index * 4);
  return bytes;
}

/** A tone curve that is a power alone. */
function power(gamma) {
  const bytes = Buffer.alloc(16);
  bytes.write('curv', 'latin1');
  bytes.writeUInt32BE(1, 8);
  bytes.writeUInt16BE(Math.round(gamma * 256), 12);
  return bytes;
}

function described(text) {
  const bytes = Buffer.alloc(104);
  bytes.write('desc', 'latin1');
  bytes.writeUInt32BE(text.length + 1, 8);
  bytes.write(text, 12, 'latin1');
  return bytes;
}

const whitePoint = [0.9642, 1, 0.8249];
const curve = power(2.19921875);
const tags = [
  ['desc', described('Adobe RGB')],
  ['wtpt', xyz(...whitePoint)],
  ['rXYZ', xyz(0.60974, 0.31111, 0.01947)],
  ['gXYZ', xyz(0.20528, 0.62567, 0.06087)],
  ['bXYZ', xyz(0.14919, 0.06322, 0.74457)],
  ['rTRC', curve],
  ['gTRC', curve],
  ['bTRC', curve],
];

/** The bytes of a display profile of version 2 (ICC.1:2001-04, section 6). */
export function makeAdobeRgb() {
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length);
  let position = 128 + table.length;
  for (const [index, [name, body]] of tags.entries()) {
    table.write(name, 4 + index * 12, 'latin1');
    table.writeUInt32BE(position, 8 + index * 12);
    table.writeUInt32BE(body.length, 12 + index * 12);
    position += body.length;
  }
  const head = Buffer.alloc(128);
  head.writeUInt32BE(position);
  head.writeUInt32BE(0x02_10_00_00, 8);
  head.write('mntrRGB XYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  xyz(...whitePoint).copy(head, 68, 8);
  return Buffer.concat([head, table, ...tags.map(([, body]) => body)]);
}
