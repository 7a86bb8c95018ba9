/** The open page with sound or video: what it plays, its texts, and its annotations. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { fetchForeignJson, fetchForeignText } from '../../data/foreign-hosts.ts';
import type { ForeignImage } from '../../data/images.ts';
import { parseForeignPath } from '../../model/address/address-text.ts';
import { memberOf } from '../../model/json-value.ts';
import { itemsOf, webAddress } from '../../model/manifest/members.ts';
import { type CanvasMedia, type LinkedFile, readCanvasMedia } from '../../model/media/canvas-media.ts';
import { type Cue, parseCaptions } from '../../model/media/captions.ts';
import { behaviorIn, type Chapter, flat, readChapters, startOn } from '../../model/media/chapters.ts';
import { isCaptions, readTimeNotes, type TimeNote } from '../../model/media/time-notes.ts';
import { goToPage, openedNow } from '../opened.ts';
import { neighbors } from '../pages.ts';
import { view } from '../view.ts';
import { Playback } from './playback.ts';

/** A text of the page: lines with times, or a plain text. */
export interface Transcript {
  readonly label: LanguageMap;
  readonly language: string;
  /** Empty where the text has no times. */
  readonly cues: readonly Cue[];
  readonly text: string;
  readonly isFaulty: boolean;
}

export interface OpenMedia {
  readonly canvas: string;
  readonly media: CanvasMedia;
  readonly playback: Playback;
  /** With the depth of each in the contents. */
  readonly chapters: readonly (Chapter & { readonly depth: number })[];
  readonly transcripts: ReadonlySignal<readonly Transcript[]>;
  readonly notes: ReadonlySignal<readonly TimeNote[]>;
  close(): void;
}

/** Bounds on what one page requests. */
const [maxPages, maxTexts] = [40, 20];

/** Whether the next page goes on playing, since the one before has come to its end, or the reader has jumped to it. */
let playsOn = false;

async function loadTranscript(file: LinkedFile, signal: AbortSignal): Promise<Transcript> {
  const answer = await fetchForeignText(file.address, signal);
  const { label, language } = file;
  if (!answer.ok) return { label, language, cues: [], text: '', isFaulty: true };
  const cues = isCaptions(file) ? parseCaptions(answer.value) : [];
  return { label, language, cues, text: isCaptions(file) ? '' : answer.value.slice(0, 1e6), isFaulty: false };
}

const isPlainText = ({ format }: LinkedFile): boolean => format.startsWith('text/plain');

/** Loads the annotations of the page, then the texts that they and the canvas name. */
async function loadTexts(
  { page }: ForeignImage,
  { renderings }: CanvasMedia,
  signal: AbortSignal,
  show: (transcripts: readonly Transcript[], notes: readonly TimeNote[]) => void,
): Promise<void> {
  let [files, lines, notes]: [readonly LinkedFile[], readonly Transcript[], readonly TimeNote[]] = [[], [], []];
  const queue = page.annotations.slice(0, maxPages);
  for (let requests = 0; queue.length > 0 && requests < maxPages; requests += 1) {
    const source = queue.shift();
    const answer = typeof source === 'string' ? await fetchForeignJson(source, signal) : undefined;
    if (signal.aborted) return;
    const json = answer === undefined ? source : answer.ok ? answer.value : undefined;
    const read = readTimeNotes(json);
    files = [...files, ...read.captions];
    notes = [...notes, ...read.notes];
    if (read.lines.length > 0) {
      const { lines: cues, label } = read;
      lines = [...lines, { label, language: '', cues, text: '', isFaulty: false }];
    }
    const next = itemsOf(memberOf(json, 'next'), 1).flatMap((one) => webAddress(one) ?? []);
    queue.unshift(...next);
  }
  show(lines, notes);
  const named = [...files, ...renderings.filter((file) => isCaptions(file) || isPlainText(file))];
  // Manifests name captions twice: for viewers that play them, and for those that offer files.
  const texts = named.filter(({ address }, at) => named.findIndex((other) => other.address === address) === at);
  const loaded = await Promise.all(texts.slice(0, maxTexts).map((file) => loadTranscript(file, signal)));
  if (!signal.aborted) show([...loaded, ...lines], notes);
}

/** The position of the page with a canvas in the book, from 1; undefined where it has none. */
function positionOf(canvas: string): number | undefined {
  const images = openedNow()?.folder.images ?? [];
  const at = images.findIndex(({ path }) => parseForeignPath(path)?.canvas === canvas);
  return at < 0 ? undefined : at + 1;
}

/** Goes to a time of a canvas of the book, which may be another page. */
export function goToTime(now: OpenMedia, canvas: string, time: number): void {
  if (canvas === now.canvas) {
    now.playback.seek(time);
    return;
  }
  const at = positionOf(canvas);
  if (at === undefined) return;
  playsOn = now.playback.isPlaying.peek();
  void goToPage({ at, inner: 1 }, { time });
}

/** At the end of a canvas, the next one is played where the manifest wants that, or the first again; a single one by `repeat` alone. */
function goOn(json: unknown, canvas: unknown, playback: Playback): void {
  const { goesOn, repeats } = behaviorIn(json, canvas);
  if (openedNow()?.images.total === 1) {
    if (!repeats) return;
    playback.seek(0);
    playback.play();
    return;
  }
  const { next } = neighbors();
  if (!goesOn || (next === undefined && !repeats)) return;
  playsOn = true;
  void goToPage(next ?? { at: 1, inner: 1 });
}

export function openMedia(foreign: ForeignImage): OpenMedia {
  const { page, json } = foreign;
  const media = readCanvasMedia(page.played);
  const playback: Playback = new Playback(media, () => goOn(json, page.played, playback));
  const transcripts = signal<readonly Transcript[]>([]);
  const notes = signal<readonly TimeNote[]>([]);
  const ending = new AbortController();
  const start = view.peek().time ?? startOn(json, page.canvasId) ?? 0;
  if (start > 0) playback.seek(start);
  if (playsOn) playback.play();
  playsOn = false;
  void loadTexts(foreign, media, ending.signal, (texts, remarks) => {
    transcripts.value = texts;
    notes.value = remarks;
  });
  return {
    canvas: page.canvasId,
    media,
    playback,
    chapters: flat(readChapters(json)),
    transcripts,
    notes,
    close() {
      ending.abort();
      playback.close();
    },
  };
}
