/** Files of sound and video, which are served as they are, and the files with their texts beside them. */
import { stemOf } from './formats.ts';

export type MediaKind = 'sound' | 'video';

interface MediaFormat {
  readonly kind: MediaKind;
  readonly mediaType: string;
}

/** By the extension in lower case. What a video file has no picture in counts as sound. */
const formats = {
  mp3: { kind: 'sound', mediaType: 'audio/mpeg' },
  m4a: { kind: 'sound', mediaType: 'audio/mp4' },
  ogg: { kind: 'sound', mediaType: 'audio/ogg' },
  flac: { kind: 'sound', mediaType: 'audio/flac' },
  wav: { kind: 'sound', mediaType: 'audio/wav' },
  mp4: { kind: 'video', mediaType: 'video/mp4' },
  webm: { kind: 'video', mediaType: 'video/webm' },
} as const satisfies Record<string, MediaFormat>;

/** Texts beside media: captions in two forms, and a transcript. */
const sidecars = { vtt: 'text/vtt', srt: 'application/x-subrip', txt: 'text/plain' } as const;

const extensionOf = (name: string): string => name.slice(stemOf(name).length + 1).toLowerCase();

export function mediaFormatOf(name: string): MediaFormat | undefined {
  const extension = extensionOf(name);
  return Object.hasOwn(formats, extension) ? formats[extension as keyof typeof formats] : undefined;
}

/** Whether a file is sound, video, or captions: what listings keep beside images and texts. */
export const isMediaName = (name: string): boolean => mediaFormatOf(name) !== undefined || /\.(?:vtt|srt)$/i.test(name);

export interface MediaText {
  /** The name without extension that it shares with what it belongs to. */
  readonly stem: string;
  /** As in its name, `talk.de.vtt`; empty where the name has none. */
  readonly language: string;
  readonly mediaType: string;
  readonly isCaptions: boolean;
}

/** What the name of a text beside media says; its stem may be one of a language, or of the media itself. */
export function mediaTextsOf(name: string): readonly MediaText[] {
  const extension = extensionOf(name);
  if (!Object.hasOwn(sidecars, extension)) return [];
  const mediaType = sidecars[extension as keyof typeof sidecars];
  const stem = stemOf(name);
  const plain = { stem, language: '', mediaType, isCaptions: extension !== 'txt' };
  const [, around, language] = /^(.+)\.([a-z]{2,3}(?:-[a-z0-9]{2,8})*)$/i.exec(stem) ?? [];
  return around === undefined || language === undefined ? [plain] : [plain, { ...plain, stem: around, language }];
}
