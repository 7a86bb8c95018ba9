/** Pictures of tiles by their addresses: asked for a few at a time, and kept, so that an image that is placed anew needs none again. */

/** Pictures that are kept, of which those that were wanted longest ago go first. */
const mostPictures = 400;

/** Pictures that are asked for at a time. */
const atOnce = 6;

interface TilePicture {
  readonly picture: HTMLImageElement;
  state: 'waiting' | 'loading' | 'loaded' | 'failed';
}

export class TilePictures {
  readonly #pictures = new Map<string, TilePicture>();
  readonly #onLoaded: () => void;
  #wanted: readonly string[] = [];
  #loading = 0;
  #closed = false;

  /** `onLoaded` is called when a picture has loaded. */
  constructor(onLoaded: () => void) {
    this.#onLoaded = onLoaded;
  }

  /** The picture at an address, if it has loaded. */
  loaded(address: string): HTMLImageElement | undefined {
    const found = this.#pictures.get(address);
    return found?.state === 'loaded' ? found.picture : undefined;
  }

  /** Asks for these in their order, and no longer for others that have not begun. True where all have come, or failed. */
  want(addresses: readonly string[]): boolean {
    for (const address of addresses) {
      const known = this.#pictures.get(address) ?? { picture: new Image(), state: 'waiting' as const };
      // Moved to the end: those at the beginning were wanted longest ago.
      this.#pictures.delete(address);
      this.#pictures.set(address, known);
    }
    const surplus = this.#pictures.size - Math.max(mostPictures, addresses.length);
    for (const address of [...this.#pictures.keys()].slice(0, Math.max(0, surplus))) this.#pictures.delete(address);
    this.#wanted = addresses.filter((address) => this.#pictures.get(address)?.state === 'waiting');
    this.#loadNext();
    return addresses.every((address) => /loaded|failed/.test(this.#pictures.get(address)?.state ?? ''));
  }

  #loadNext(): void {
    while (this.#loading < atOnce) {
      const [address, ...rest] = this.#wanted;
      this.#wanted = rest;
      const next = address === undefined ? undefined : this.#pictures.get(address);
      if (address === undefined || next === undefined) return;
      this.#load(next, address);
    }
  }

  #load(tile: TilePicture, address: string): void {
    const { picture } = tile;
    this.#loading += 1;
    tile.state = 'loading';
    const end = (state: 'loaded' | 'failed'): void => {
      tile.state = state;
      this.#loading -= 1;
      if (this.#closed) return;
      this.#loadNext();
      this.#onLoaded();
    };
    picture.onload = () => end(picture.naturalWidth > 0 ? 'loaded' : 'failed');
    picture.onerror = () => end('failed');
    picture.referrerPolicy = 'no-referrer';
    picture.src = address;
  }

  close(): void {
    this.#closed = true;
    this.#wanted = [];
    this.#pictures.clear();
  }
}
