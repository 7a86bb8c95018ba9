/** What the reader has chosen for all players: the captions, the text, and the form of a file. */
import { signal } from '@preact/signals';
import { language } from '../../messages/messages.ts';
import type { MediaFile, TimedItem } from '../../model/media/canvas-media.ts';
import type { OpenMedia, Transcript } from '../../state/media/open-media.ts';
import { storedSignal } from '../../state/stored-preferences.ts';
import { languageName, shown } from './words.ts';

/** The name of the chosen captions; empty for those in the reader's language, or the first. */
const captionsName = signal('');
export const captionsOn = storedSignal<boolean>(
  'captions',
  true,
  (value): value is boolean => typeof value === 'boolean',
);

export const withTimes = (now: OpenMedia): readonly Transcript[] =>
  now.transcripts.value.filter(({ cues }) => cues.length > 0);

/** The language, which distinguishes captions better than labels, and the label where that says more. */
export function nameOfTranscript({ label, language: tag }: Transcript, at: number): string {
  const text = shown(label);
  const name = tag === '' ? '' : languageName(tag);
  return [name, text].filter((part) => part !== '').join(' – ') || String(at + 1);
}

/** Of several texts the chosen one, else that in the reader's language, else the first. */
function chosenAmong(list: readonly Transcript[], name: string): Transcript | undefined {
  return (
    list.find((one, at) => nameOfTranscript(one, at) === name) ??
    list.find((one) => one.language.toLowerCase().split('-')[0] === language.value) ??
    list[0]
  );
}

export const chosenCaptions = (now: OpenMedia): Transcript | undefined =>
  captionsOn.value ? chosenAmong(withTimes(now), captionsName.value) : undefined;

/** Empty to turn them off. */
export function chooseCaptions(name: string): void {
  captionsOn.value = name !== '';
  if (name !== '') captionsName.value = name;
}

/** The text beside the player, which may be another one than the captions. */
export const transcriptName = signal('');

export const chosenTranscript = (now: OpenMedia): Transcript | undefined =>
  chosenAmong(now.transcripts.value, transcriptName.value);

/** The address of the chosen form of a file, of those that are offered in several. */
export const chosenFile = signal('');

const canPlay = ({ format }: MediaFile): boolean =>
  format === '' || document.createElement(format.startsWith('audio/') ? 'audio' : 'video').canPlayType(format) !== '';

/** The form that is played: the chosen one, else the first that the browser knows, and that has not failed. */
export function versionOf({ files }: TimedItem, failed: readonly MediaFile[]): MediaFile {
  const left = files.filter((file) => !failed.includes(file));
  const file = files.find(({ address }) => address === chosenFile.value) ?? left.find(canPlay) ?? left[0] ?? files[0];
  if (file === undefined) throw new TypeError('an item of sound or video has no file');
  return file;
}
