/** The objects of a computed bucket: those of its layouts, and those that were put or deleted since. */

import { bytesOf } from './inventory.mjs';
import { digestOf, indexAtOrBehind, modifiedMsOf } from './keys.mjs';

/**
 * @typedef {object} StoredObject
 * @property {Buffer} bytes
 * @property {string} etag with its quotation marks
 * @property {number} modifiedMs
 */

const isBefore = (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;

export class ComputedObjects {
  #layouts;
  #image;
  /** By key: objects that were put, and undefined for those that were deleted. */
  #changed = new Map();

  /** @param {readonly import('./keys.mjs').Layout[]} layouts in the order of their prefixes @param {Buffer} image */
  constructor(layouts, image) {
    this.#layouts = layouts;
    this.#image = image;
  }

  /** @param {string} key @returns {StoredObject | undefined} */
  get(key) {
    if (this.#changed.has(key)) return this.#changed.get(key);
    const layout = this.#layouts.find(({ prefix }) => key.startsWith(prefix));
    if (layout === undefined) return undefined;
    const index = indexAtOrBehind(layout, key);
    if (index >= layout.count || layout.prefix + layout.keyOf(index) !== key) return undefined;
    const bytes = bytesOf(layout, index, this.#image);
    return { bytes, etag: `"${digestOf(index, layout)}"`, modifiedMs: modifiedMsOf(index) };
  }

  /** Without an object the key is deleted. @param {string} key @param {StoredObject} [object] */
  change(key, object) {
    this.#changed.set(key, object);
  }

  /** Keys from one on, in the order of their bytes. @param {string} first */
  *keysFrom(first) {
    const changed = [...this.#changed.keys()]
      .filter((key) => !isBefore(key, first))
      .sort((a, b) => (isBefore(a, b) ? -1 : 1));
    for (const layout of this.#layouts) {
      if (isBefore(`${layout.prefix}\u{10ffff}`, first)) continue;
      for (let index = indexAtOrBehind(layout, first); index < layout.count; index++) {
        const key = layout.prefix + layout.keyOf(index);
        while (changed.length > 0 && isBefore(changed[0], key)) yield changed.shift();
        if (changed[0] !== key) yield key;
      }
    }
    yield* changed;
  }

  /** The first key from one on that was not deleted. @param {string} first */
  #keyFrom(first) {
    for (const key of this.keysFrom(first))
      if (!this.#changed.has(key) || this.#changed.get(key) !== undefined) return key;
    return undefined;
  }

  /**
   * The names of a list from a key on, with the first key of each: a key, or what precedes its next slash.
   * @param {string} prefix @param {string} from
   */
  *foldersFrom(prefix, from) {
    for (let key = this.#keyFrom(from); key?.startsWith(prefix); ) {
      const slash = key.indexOf('/', prefix.length);
      const name = slash < 0 ? key : key.slice(0, slash + 1);
      yield { key, name };
      // All keys of the folder are passed over.
      key = this.#keyFrom(slash < 0 ? `${key}\0` : `${name.slice(0, -1)}0`);
    }
  }

  /** All keys as names. @param {string} prefix @param {string} from */
  *namesFrom(prefix, from) {
    for (const key of this.keysFrom(from)) {
      if (!key.startsWith(prefix)) return;
      if (!this.#changed.has(key) || this.#changed.get(key) !== undefined) yield { key, name: key };
    }
  }

  /**
   * Up to `max` names: keys, and with a delimiter those up to it. `next` is where the names behind them begin.
   * @param {{ prefix: string, from: string, max: number, delimiter: boolean }} wanted
   * @returns {{ names: string[], next: string | undefined }}
   */
  list({ prefix, from, max, delimiter }) {
    const names = [];
    const start = isBefore(from, prefix) ? prefix : from;
    for (const { key, name } of delimiter ? this.foldersFrom(prefix, start) : this.namesFrom(prefix, start)) {
      if (names.length === max) return { names, next: key };
      names.push(name);
    }
    return { names, next: undefined };
  }
}
