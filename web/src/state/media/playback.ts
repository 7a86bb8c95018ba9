/** Plays what is on a canvas: one time for all of its files, which follow each other, stand beside each other, or leave gaps. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { CanvasMedia, TimedItem } from '../../model/media/canvas-media.ts';
import { canvasTime, endOf, fileTime, isActive, isTimed } from '../../model/media/timeline.ts';

/** How often the time is followed, in ms; the files report it too. */
const stepMs = 100;

/** How far a file may be from the time of the canvas, in seconds, until it is moved. */
const drift = 0.3;

/** For all pages: a reader who turns the sound down wants the next one as low. */
export const volume = signal(1);
export const isMuted = signal(false);
export const rate = signal(1);

interface Part {
  readonly item: TimedItem;
  readonly element: HTMLMediaElement;
}

export class Playback {
  readonly #time = signal(0);
  readonly #duration = signal<number | undefined>(undefined);
  readonly #isPlaying = signal(false);
  readonly #hasStarted = signal(false);
  readonly #items: readonly TimedItem[];
  readonly #onEnd: () => void;
  readonly #parts = new Map<number, Part>();
  readonly #failed = new Set<number>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** When the time was followed last, for what has no file. */
  #lastMs = 0;

  constructor({ items, duration }: Pick<CanvasMedia, 'items' | 'duration'>, onEnd: () => void = () => undefined) {
    this.#items = items;
    this.#onEnd = onEnd;
    this.#duration.value = endOf(items, duration);
  }

  readonly time: ReadonlySignal<number> = this.#time;
  /** Undefined until a file has told it. */
  readonly duration: ReadonlySignal<number | undefined> = this.#duration;
  readonly isPlaying: ReadonlySignal<boolean> = this.#isPlaying;
  readonly hasStarted: ReadonlySignal<boolean> = this.#hasStarted;

  /** Takes the element that plays the item at an index; the returned function gives it back. */
  attach(index: number, element: HTMLMediaElement): () => void {
    const item = this.#items[index];
    if (item === undefined) return () => undefined;
    const ending = new AbortController();
    this.#parts.set(index, { item, element });
    const listen = (name: keyof HTMLMediaElementEventMap, act: () => void): void =>
      element.addEventListener(name, act, { signal: ending.signal });
    listen('loadedmetadata', () => {
      this.#learn(item, element);
      this.#failed.delete(index);
      this.#apply();
    });
    for (const name of ['timeupdate', 'ended', 'seeked', 'playing'] as const) listen(name, () => this.#follow());
    this.#apply();
    return () => {
      ending.abort();
      element.pause();
      this.#parts.delete(index);
    };
  }

  /** The file of an item can't be played in any of its forms. */
  fail(index: number): void {
    this.#failed.add(index);
    const timed = this.#items.flatMap((item, at) => (isTimed(item) ? [at] : []));
    if (timed.every((at) => this.#failed.has(at))) this.pause();
  }

  play(): void {
    const end = this.#duration.peek();
    if (end !== undefined && this.#time.peek() >= end - 0.05) this.#time.value = 0;
    this.#isPlaying.value = true;
    this.#hasStarted.value = true;
    this.#lastMs = performance.now();
    this.#timer ??= setInterval(() => this.#follow(), stepMs);
    this.#apply();
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#isPlaying.value = false;
    this.#apply();
  }

  toggle(): void {
    if (this.#isPlaying.peek()) this.pause();
    else this.play();
  }

  seek(time: number): void {
    const end = this.#duration.peek() ?? Number.POSITIVE_INFINITY;
    this.#time.value = Math.min(Math.max(0, time), end);
    if (time > 0) this.#hasStarted.value = true;
    this.#apply();
  }

  /** Applies the volume and the speed, which are signals of all players. */
  applySettings(): void {
    for (const { element } of this.#parts.values()) {
      element.volume = volume.value;
      element.muted = isMuted.value;
      element.playbackRate = rate.value;
    }
  }

  close(): void {
    this.pause();
    this.#parts.clear();
  }

  #learn(item: TimedItem, { duration }: HTMLMediaElement): void {
    if (this.#duration.peek() !== undefined || !Number.isFinite(duration)) return;
    this.#duration.value = canvasTime(item, duration);
  }

  /** The file that tells the time: the first that is on the canvas and can be played. */
  #leader(): Part | undefined {
    for (const [index, part] of this.#parts) {
      if (!this.#failed.has(index) && isActive(part.item, this.#time.peek())) return part;
    }
    return undefined;
  }

  /** Moves the time on as far as its file has come, or by the clock where there is none. */
  #follow(): void {
    const nowMs = performance.now();
    const passed = ((nowMs - this.#lastMs) / 1000) * rate.peek();
    this.#lastMs = nowMs;
    if (!this.#isPlaying.peek()) return;
    const leader = this.#leader();
    const end = this.#duration.peek() ?? Number.POSITIVE_INFINITY;
    if (leader === undefined) this.#time.value = Math.min(end, this.#time.peek() + passed);
    else if (leader.element.readyState > 0 && !leader.element.seeking) this.#followFile(leader, end);
    if (this.#time.peek() >= end) this.#finish();
    else this.#apply();
  }

  #followFile({ item, element }: Part, end: number): void {
    const time = canvasTime(item, element.currentTime);
    // A file may be shorter than the canvas says, or longer.
    if (element.ended || time >= item.to) this.#time.value = Math.min(item.to, end);
    else this.#time.value = Math.min(end, Math.max(item.from, time));
    if (element.ended && !Number.isFinite(end)) this.#finish();
  }

  #finish(): void {
    this.pause();
    this.#onEnd();
  }

  /** Brings each file to the time of the canvas. */
  #apply(): void {
    for (const [index, { item, element }] of this.#parts) {
      const time = this.#time.peek();
      const plays = isActive(item, time) && !this.#failed.has(index);
      if (!plays) {
        if (!element.paused) element.pause();
        continue;
      }
      const wanted = fileTime(item, time);
      const isOff = Math.abs(element.currentTime - wanted) > drift;
      if (element.readyState > 0 && !element.seeking && isOff && wanted <= element.duration)
        element.currentTime = wanted;
      if (!this.#isPlaying.peek()) element.pause();
      else if (element.paused && !element.ended) void element.play().catch((error: unknown) => this.#refused(error));
    }
  }

  /** Browsers start no sound before the reader has pressed something. */
  #refused(error: unknown): void {
    if (error instanceof DOMException && error.name === 'NotAllowedError') this.pause();
  }
}
