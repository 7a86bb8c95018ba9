/** Builds code-streams from their marker segments. */

export const u16 = (value: number): Buffer => Buffer.from([(value >> 8) & 0xff, value & 0xff]);

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A marker segment of a JPEG 2000 code-stream. */
export const segment = (marker: number, ...body: Buffer[]): Buffer => {
  const bytes = Buffer.concat(body);
  return Buffer.concat([u16(0xff00 | marker), u16(bytes.length + 2), bytes]);
};

export interface Grid {
  readonly width: number;
  readonly height: number;
  readonly left?: number;
  readonly top?: number;
  /** The first tile: its position on the reference grid, then its size. */
  readonly tile?: readonly [x: number, y: number, width: number, height: number];
  /** Ssiz, XRsiz and YRsiz of each component. */
  readonly components?: readonly (readonly [depth: number, dx: number, dy: number])[];
  readonly capabilities?: number;
}

const plainComponents = (count: number): Grid['components'] => Array.from({ length: count }, () => [7, 1, 1]);

export const siz = ({ width, height, left = 0, top = 0, tile, components, capabilities = 0 }: Grid): Buffer => {
  const [x, y, tileWidth, tileHeight] = tile ?? [0, 0, width + left, height + top];
  const table = components ?? plainComponents(3) ?? [];
  return segment(
    0x51,
    u16(capabilities),
    ...[width + left, height + top, left, top, tileWidth, tileHeight, x, y].map(u32),
    u16(table.length),
    ...table.map((component) => Buffer.from(component)),
  );
};

export interface CodingStyle {
  readonly levels?: number;
  /** The byte of each resolution, the smallest first. */
  readonly precincts?: readonly number[];
  /** Bits of Scod: 2 for SOP, 4 for EPH. */
  readonly flags?: number;
  readonly progression?: number;
  readonly layers?: number;
  readonly componentTransform?: number;
  /** Exponents of the sides of a code-block, less 2. */
  readonly block?: readonly [columns: number, rows: number];
  readonly blockStyle?: number;
  /** 0 for the transform 9-7, 1 for 5-3. */
  readonly transform?: number;
}

const styleBytes = ({
  levels = 0,
  block = [4, 4],
  blockStyle = 0,
  transform = 1,
  precincts = [],
}: CodingStyle): Buffer => Buffer.from([levels, ...block, blockStyle, transform, ...precincts]);

export const cod = (style: CodingStyle = {}): Buffer => {
  const { precincts, flags = 0, progression = 0, layers = 1, componentTransform = 1 } = style;
  const scod = Buffer.of(flags | (precincts ? 1 : 0), progression);
  return segment(0x52, scod, u16(layers), Buffer.of(componentTransform), styleBytes(style));
};

export const coc = (component: number, style: CodingStyle): Buffer =>
  segment(0x53, Buffer.of(component, style.precincts ? 1 : 0), styleBytes(style));

/** A code-stream of these segments, then a tile-part without packets whose header has `tileSegments`. */
export const codeStreamOf = (segments: readonly Buffer[], tileSegments: readonly Buffer[] = []): Buffer => {
  const header = Buffer.concat(tileSegments);
  const sot = segment(0x90, u16(0), u32(14 + header.length), Buffer.of(0, 1));
  return Buffer.concat([u16(0xff4f), ...segments, sot, header, u16(0xff93), u16(0xffd9)]);
};

export const codeStream = (width: number, height: number, components = 3, left = 0, top = 0): Buffer =>
  codeStreamOf([siz({ width, height, left, top, components: plainComponents(components) ?? [] }), cod()]);

/** A code-stream of tiles whose packets are all empty: each is a byte of zero. */
export function emptyTiles(grid: Grid, style: CodingStyle, tiles: number, packetBytes: number): Buffer {
  const levels = style.levels ?? 0;
  const quantization = segment(0x5c, Buffer.of(0x40, ...Array.from({ length: 3 * levels + 1 }, () => 0x48)));
  const parts = Array.from({ length: tiles }, (_, tile) => {
    const sot = segment(0x90, u16(tile), u32(14 + packetBytes), Buffer.of(0, 1));
    return Buffer.concat([sot, u16(0xff93), Buffer.alloc(packetBytes)]);
  });
  const main = [siz(grid), cod({ componentTransform: 0, ...style }), quantization];
  return Buffer.concat([u16(0xff4f), ...main, ...parts, u16(0xffd9)]);
}
