/** Which names in a folder belong to files of sound and video: the files themselves, and texts and images beside them. */
import { stemOf } from '../../image/model/formats.ts';
import { type MediaText, mediaFormatOf, mediaTextsOf } from '../../image/model/media-formats.ts';
import type { Listing } from './listing.ts';

type Names = Pick<Listing, 'images' | 'mediaFiles' | 'textFiles'>;

/** The names of files of sound and video, without the texts beside them. */
export const mediaAmong = (names: readonly string[]): readonly string[] =>
  names.filter((name) => mediaFormatOf(name) !== undefined);

const isPlainText = (name: string): boolean => /\.txt$/i.test(name);

/** The files of sound and video that a text is beside: those with its stem, or with its stem and a language. */
export function mediaOfText({ mediaFiles }: Pick<Names, 'mediaFiles'>, name: string): readonly string[] {
  const stems = new Set(mediaTextsOf(name).map(({ stem }) => stem));
  return stems.size === 0 ? [] : mediaAmong(mediaFiles).filter((media) => stems.has(stemOf(media)));
}

/** The name of a file of sound or video, or of a text beside one, in any normalization form. */
export function mediaNamed(listing: Names, wanted: string): string | undefined {
  const names = [...listing.mediaFiles, ...listing.textFiles.filter(isPlainText)];
  const found = names.includes(wanted)
    ? wanted
    : names.find((name) => name.normalize('NFC') === wanted.normalize('NFC'));
  if (found === undefined || mediaFormatOf(found) !== undefined) return found;
  return mediaOfText(listing, found).length > 0 ? found : undefined;
}

export interface NamedText extends MediaText {
  readonly name: string;
}

/** The texts beside a file of sound or video, in the order of their names. */
export function textsBeside(listing: Pick<Names, 'mediaFiles' | 'textFiles'>, media: string): readonly NamedText[] {
  const names = [...listing.mediaFiles, ...listing.textFiles.filter(isPlainText)];
  return names.flatMap((name) =>
    mediaTextsOf(name)
      .filter(({ stem }) => stem === stemOf(media))
      .map((text) => ({ ...text, name })),
  );
}

/** The image of the same name, which stands for sound, or for a video before it plays. */
export const imageBeside = ({ images }: Pick<Names, 'images'>, media: string): string | undefined =>
  images.find((name) => stemOf(name) === stemOf(media));
