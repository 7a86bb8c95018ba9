/** An image with three shapes at known positions, and where they and the lines that a viewer draws lie on the screen. */
import sharp from 'sharp';

export const imageSize = { width: 1600, height: 1200 } as const;

/** In pixels of the image. */
export const disc = { x: 400, y: 300, radius: 40 } as const;
export const box = { x: 900, y: 600, width: 240, height: 180 } as const;
export const triangle = [
  { x: 200, y: 900 },
  { x: 500, y: 900 },
  { x: 350, y: 1100 },
] as const;

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${imageSize.width}" height="${imageSize.height}">
<rect width="100%" height="100%" fill="#f4f0e6"/>
<circle cx="${disc.x}" cy="${disc.y}" r="${disc.radius}" fill="#e00"/>
<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" fill="#00e"/>
<polygon points="${triangle.map(({ x, y }) => `${x},${y}`).join(' ')}" fill="#0b0"/></svg>`;

export const picture = (): Promise<Buffer> => sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();

/** In CSS pixels of the page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const middleOf = ({ left, top, right, bottom }: Box): readonly [number, number] => [
  (left + right) / 2,
  (top + bottom) / 2,
];

/** The largest distance between the sides of two boxes. */
export const distanceOf = (one: Box, other: Box): number =>
  Math.max(...(['left', 'top', 'right', 'bottom'] as const).map((side) => Math.abs(one[side] - other[side])));

type IsWanted = (red: number, green: number, blue: number) => boolean;

const colors: Readonly<Record<'red' | 'green' | 'blue', IsWanted>> = {
  red: (red, green, blue) => red > 180 && green < 90 && blue < 90,
  green: (red, green, blue) => green > 140 && red < 90 && blue < 90,
  blue: (red, green, blue) => blue > 180 && red < 90 && green < 90,
};

/** Around all pixels of each color in a screenshot. */
export async function colorsIn(screenshot: Buffer): Promise<Readonly<Record<keyof typeof colors, Box>>> {
  const { data, info } = await sharp(screenshot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const boxOf = (isWanted: IsWanted): Box => {
    let found = { left: info.width, top: info.height, right: 0, bottom: 0 };
    for (let y = 0; y < info.height; y += 1) {
      for (let x = 0; x < info.width; x += 1) {
        const [red = 0, green = 0, blue = 0] = data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3);
        if (!isWanted(red, green, blue)) continue;
        found = {
          left: Math.min(found.left, x),
          top: Math.min(found.top, y),
          right: Math.max(found.right, x + 1),
          bottom: Math.max(found.bottom, y + 1),
        };
      }
    }
    return found;
  };
  return { red: boxOf(colors.red), green: boxOf(colors.green), blue: boxOf(colors.blue) };
}

/** Where the shapes lie in a screenshot. */
export async function shapesIn(screenshot: Buffer): Promise<Readonly<Record<'disc' | 'box' | 'triangle', Box>>> {
  const { red, green, blue } = await colorsIn(screenshot);
  return { disc: red, triangle: green, box: blue };
}

/** The box of connected pixels, and their number. */
export interface ConnectedBox extends Box {
  readonly count: number;
}

const neighbors = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const));

/** The boxes of connected pixels; `drawn` has a 1 for each drawn one, row by row. */
function connectedBoxes(
  drawn: Uint8Array,
  { width, height }: { width: number; height: number },
): readonly ConnectedBox[] {
  const seen = new Uint8Array(width * height);
  const isNew = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && seen[y * width + x] === 0 && drawn[y * width + x] === 1;
  const boxFrom = (start: number): ConnectedBox => {
    const queue = [start];
    seen[start] = 1;
    let found = { left: width, top: height, right: 0, bottom: 0, count: 0 };
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      found = {
        left: Math.min(found.left, x),
        top: Math.min(found.top, y),
        right: Math.max(found.right, x + 1),
        bottom: Math.max(found.bottom, y + 1),
        count: found.count + 1,
      };
      for (const [dx, dy] of neighbors) {
        if (!isNew(x + dx, y + dy)) continue;
        seen[(y + dy) * width + x + dx] = 1;
        queue.push((y + dy) * width + x + dx);
      }
    }
    return found;
  };
  const boxes: ConnectedBox[] = [];
  for (let at = 0; at < seen.length; at += 1) if (isNew(at % width, Math.floor(at / width))) boxes.push(boxFrom(at));
  return boxes;
}

/** The boxes of connected pixels that differ clearly between two screenshots of the same size. */
export async function differences(one: Buffer, other: Buffer): Promise<readonly ConnectedBox[]> {
  const [first, second] = await Promise.all(
    [one, other].map((file) => sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  if (first === undefined || second === undefined) return [];
  const drawn = new Uint8Array(first.info.width * first.info.height);
  for (const [at, value] of first.data.entries()) {
    if (Math.abs(value - (second.data[at] ?? 0)) > 24) drawn[Math.floor(at / 3)] = 1;
  }
  return connectedBoxes(drawn, first.info);
}
