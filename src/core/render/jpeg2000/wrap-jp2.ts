/** Wraps a code-stream in a JP2 file that shows one of its components alone (ISO 15444-1, annex I). */

const uint16 = (value: number): number[] => [value >> 8, value & 255];
const uint32 = (value: number): number[] => [...uint16(Math.floor(value / 65536)), ...uint16(value % 65536)];

function box(type: string, body: readonly number[]): number[] {
  return [...uint32(8 + body.length), ...Buffer.from(type, 'latin1'), ...body];
}

/**
 * The file. A palette is what selects components: its only channel uses one of them as it is (table I.14). `components` is how
 * many the code-stream has; `width` and `height` are those of its reference grid.
 */
export function wrapComponent(
  stream: Uint8Array,
  {
    component,
    components,
    bits,
    width,
    height,
  }: Record<'component' | 'components' | 'bits' | 'width' | 'height', number>,
): Uint8Array {
  const header = box('jp2h', [
    ...box('ihdr', [...uint32(height), ...uint32(width), ...uint16(components), bits - 1, 7, 0, 0]),
    ...box('colr', [1, 0, 0, ...uint32(17)]),
    // One entry of one column, which is not used, in as many bytes as the samples have.
    ...box('pclr', [...uint16(1), 1, bits - 1, ...(bits > 8 ? uint16(0) : [0])]),
    ...box('cmap', [...uint16(component), 0, 0]),
  ]);
  const head = [
    ...box('jP  ', [0x0d, 0x0a, 0x87, 0x0a]),
    ...box('ftyp', [...Buffer.from('jp2 ', 'latin1'), ...uint32(0), ...Buffer.from('jp2 ', 'latin1')]),
    ...header,
    ...uint32(8 + stream.length),
    ...Buffer.from('jp2c', 'latin1'),
  ];
  return Buffer.concat([Uint8Array.from(head), stream]);
}
