/** Draws the tiles of an image where a transformation puts them: as parallelograms where it is affine, else by triangles. */
import type OpenSeadragon from 'openseadragon';
import type { Size } from '../../../src/core/image/model/geometry.ts';
import { outlineOf } from '../model/map/point-files.ts';
import type { Transformation } from '../model/map/transformations.ts';
import {
  cellsFor,
  cornersOfCell,
  isInSight,
  type Mesh,
  matrixBetween,
  meshOf,
  seenExactly,
  widened,
} from '../model/map/warp.ts';
import type { Point, Rect } from '../model/view-state.ts';

/** Tiles of a level that are drawn; a coarser level stands for more of them. */
const mostInSight = 240;

/** Meshes of tiles that are kept. */
const mostMeshes = 1000;

/** How far triangles lie below their neighbors, in device pixels: less would let the map shine through. */
const seam = 1.25;

/** A map as it is drawn. */
export interface SheetMap {
  readonly transformation: Transformation;
  readonly mask: readonly Point[] | undefined;
}

/** What is seen: a part of the square of Web Mercator, on so many device pixels. */
export interface SheetWindow {
  readonly seen: Rect;
  readonly pixels: Size;
}

/** One image with one of its maps. */
export class WarpedSheet {
  readonly #source: OpenSeadragon.TileSource;
  readonly #image: Size;
  readonly #map: SheetMap;
  readonly #mesh: Mesh;
  readonly #outline: readonly Point[];
  readonly #meshes = new Map<string, Mesh>();

  constructor(source: OpenSeadragon.TileSource, image: Size, map: SheetMap) {
    this.#source = source;
    this.#image = image;
    this.#map = map;
    const { toWorld, isAffine } = map.transformation;
    this.#mesh = meshOf({ x: 0, y: 0, ...image }, isAffine ? 8 : 32, toWorld);
    this.#outline = outlineOf(map, image).map(toWorld);
  }

  /** The level of which a pixel is about a pixel of the screen. */
  #levelFor(scale: number): number {
    const { minLevel, maxLevel } = this.#source;
    for (let level = minLevel; level < maxLevel; level += 1)
      if (this.#source.getLevelScale(level) >= scale * 0.75) return level;
    return maxLevel;
  }

  /** The tiles of a level in a part of the image: their columns and rows. */
  #placesIn(level: number, { x, y, width, height }: Rect): readonly Point[] {
    const count = this.#source.getNumTiles(level);
    const scale = this.#source.getLevelScale(level);
    const [wide, high] = [this.#source.getTileWidth(level), this.#source.getTileHeight(level)];
    const index = (at: number, side: number, most: number): number =>
      Math.min(Math.max(Math.floor((at * scale) / side), 0), most - 1);
    const [left, right] = [index(x, wide, count.x), index(x + width, wide, count.x)];
    const [top, bottom] = [index(y, high, count.y), index(y + height, high, count.y)];
    if ((right - left + 1) * (bottom - top + 1) > mostInSight) return [];
    const places: Point[] = [];
    for (let row = top; row <= bottom; row += 1)
      for (let column = left; column <= right; column += 1) places.push({ x: column, y: row });
    return places;
  }

  #meshAt(level: number, { x: column, y: row }: Point): Mesh {
    const key = `${level};${column};${row}`;
    const known = this.#meshes.get(key);
    if (known !== undefined) return known;
    const { x, y, width, height } = this.#source.getTileBounds(level, column, row);
    const unit = this.#image.width;
    const part = { x: x * unit, y: y * unit, width: width * unit, height: height * unit };
    const { transformation } = this.#map;
    const mesh = meshOf(part, cellsFor(part, transformation), transformation.toWorld);
    if (this.#meshes.size >= mostMeshes) this.#meshes.clear();
    this.#meshes.set(key, mesh);
    return mesh;
  }

  /** The levels to draw, the coarsest first: an overview below what is wanted, which may not have loaded. */
  #levels(scale: number): readonly number[] {
    const wanted = this.#levelFor(scale);
    const { minLevel } = this.#source;
    let overview = minLevel;
    while (
      overview < wanted &&
      this.#source.getLevelScale(overview) * Math.max(this.#image.width, this.#image.height) < 500
    )
      overview += 1;
    return [...new Set([overview, Math.max(overview, wanted - 2), wanted])];
  }

  /** Draws what is in sight as far as its pictures have loaded, and returns the addresses of all of these. */
  draw(
    context: CanvasRenderingContext2D,
    { seen, pixels }: SheetWindow,
    pictureAt: (address: string) => HTMLImageElement | undefined,
  ): readonly string[] {
    const found = seenExactly(this.#mesh, seen, this.#map.transformation.toWorld);
    if (found === undefined) return [];
    const perWorld = pixels.width / seen.width;
    const toPixels = ({ x, y }: Point): Point => ({ x: (x - seen.x) * perWorld, y: (y - seen.y) * perWorld });
    const addresses: string[] = [];
    context.save();
    this.#clip(context, toPixels);
    for (const level of this.#levels(found.pixel * perWorld)) {
      for (const place of this.#placesIn(level, found.part)) {
        const mesh = this.#meshAt(level, place);
        if (!isInSight(mesh, seen)) continue;
        const address = String(this.#source.getTileUrl(level, place.x, place.y));
        addresses.push(address);
        const picture = pictureAt(address);
        if (picture !== undefined) drawTile(context, picture, mesh, toPixels);
      }
    }
    context.restore();
    return addresses;
  }

  #clip(context: CanvasRenderingContext2D, toPixels: (world: Point) => Point): void {
    context.beginPath();
    for (const [index, point] of this.#outline.entries()) {
      const { x, y } = toPixels(point);
      if (index === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    context.closePath();
    context.clip();
  }
}

function drawTile(
  context: CanvasRenderingContext2D,
  picture: HTMLImageElement,
  mesh: Mesh,
  toPixels: (world: Point) => Point,
): void {
  const { cells } = mesh;
  const [wide, high] = [picture.naturalWidth / cells, picture.naturalHeight / cells];
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const [a, b, c, d] = cornersOfCell(mesh, column, row).map(toPixels);
      if (a === undefined || b === undefined || c === undefined || d === undefined) continue;
      const [left, top] = [column * wide, row * high];
      const corner = (x: number, y: number): Point => ({ x: left + x * wide, y: top + y * high });
      if (cells === 1) drawTriangle(context, picture, [corner(0, 0), corner(1, 0), corner(0, 1)], [a, b, c], true);
      else {
        drawTriangle(context, picture, [corner(0, 0), corner(1, 0), corner(0, 1)], [a, b, c]);
        drawTriangle(context, picture, [corner(1, 1), corner(0, 1), corner(1, 0)], [d, c, b]);
      }
    }
  }
}

type Triangle = readonly [Point, Point, Point];

/** Draws a triangle of a picture, or the whole picture where that is a parallelogram. */
function drawTriangle(
  context: CanvasRenderingContext2D,
  picture: HTMLImageElement,
  from: Triangle,
  to: Triangle,
  isWhole = false,
): void {
  const matrix = matrixBetween(from, to);
  if (matrix === undefined) return;
  context.save();
  if (!isWhole) {
    const [first, second, third] = widened(to, seam);
    context.beginPath();
    context.moveTo(first.x, first.y);
    context.lineTo(second.x, second.y);
    context.lineTo(third.x, third.y);
    context.clip();
  }
  context.transform(...matrix);
  // Edges that are turned are drawn half transparent: a picture that is a little larger covers those of its neighbors.
  const more = seam / Math.max(Math.hypot(matrix[0], matrix[1]), 1e-9);
  context.drawImage(picture, -more, -more, picture.naturalWidth + 2 * more, picture.naturalHeight + 2 * more);
  context.restore();
}
