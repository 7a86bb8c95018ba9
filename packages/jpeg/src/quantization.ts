/** Reads the tables of quantization of a JPEG (ITU-T T.81, section B.2.4.1). */

import type { Component } from './scan.ts';
import type { Segment } from './segments.ts';

const quantizationTables = 0xdb;

/** Adds the tables of a segment, each with 64 numbers in zigzag order. */
function addTables(content: Buffer, tables: Map<number, Int32Array>): void {
  for (let at = 0; at < content.length; ) {
    const kind = content[at] ?? 0;
    const bytes = kind >> 4 === 0 ? 1 : 2;
    if (content.length < at + 1 + 64 * bytes) return;
    const numberAt = (index: number): number => content.readUIntBE(at + 1 + index * bytes, bytes);
    tables.set(
      kind & 15,
      Int32Array.from({ length: 64 }, (_, index) => numberAt(index)),
    );
    at += 1 + 64 * bytes;
  }
}

/** The table of each component, 64 numbers in zigzag order; undefined where one is missing. */
export function quantizationOf(
  segments: readonly Segment[],
  components: readonly Component[],
): readonly Int32Array[] | undefined {
  const tables = new Map<number, Int32Array>();
  for (const { marker, content } of segments) if (marker === quantizationTables) addTables(content, tables);
  const found = components.flatMap(({ quantization }) => tables.get(quantization) ?? []);
  return found.length === components.length ? found : undefined;
}
