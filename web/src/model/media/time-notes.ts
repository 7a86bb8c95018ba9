/** Annotations on a canvas with time: captions, lines of transcripts, and remarks at a time. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { memberOf, textOf } from '../json-value.ts';
import { firstOf, itemsOf, limits, plainText, textsOf, typeOf } from '../manifest/members.ts';
import { type LinkedFile, linkedFile } from './canvas-media.ts';
import type { Cue } from './captions.ts';
import { spanOf } from './time.ts';

export interface TimeNote {
  /** Undefined for what is about the canvas as a whole. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly text: string;
  readonly tags: readonly string[];
}

export interface TimeNotes {
  readonly captions: readonly LinkedFile[];
  /** Lines of a transcript that are annotations themselves. */
  readonly lines: readonly Cue[];
  readonly label: LanguageMap;
  readonly notes: readonly TimeNote[];
}

const captionFormat = /vtt|srt|subrip/;

export const isCaptions = ({ format, address }: LinkedFile): boolean =>
  captionFormat.test(format) || /\.(?:vtt|srt)(?:[?#]|$)/i.test(address);

const bodiesOf = (annotation: unknown): readonly unknown[] =>
  itemsOf(firstOf(annotation, 'body', 'resource'), 100).flatMap((body) =>
    typeOf(body) === 'Choice' ? itemsOf(memberOf(body, 'items'), 100) : [body],
  );

const motivationsOf = (value: unknown): readonly string[] =>
  itemsOf(firstOf(value, 'motivation', 'purpose'), 20).map((one) => textOf(one).replace(/^.*:/, ''));

const transcribing = ['supplementing', 'transcribing', 'captioning', 'subtitling'];

/** A text, or the name of what another thing is, such as a tag that is an address. */
function textOfBody(body: unknown): string {
  if (typeof body === 'string') return '';
  const value = plainText(textOf(firstOf(body, 'value', 'chars')).slice(0, limits.text));
  return (
    value ||
    Object.values(textsOf(memberOf(body, 'label')))
      .flat()
      .join(' ')
  );
}

const isTag = (body: unknown, annotation: unknown): boolean =>
  motivationsOf(body).includes('tagging') ||
  (motivationsOf(body).length === 0 && motivationsOf(annotation).every((name) => name === 'tagging'));

function noteOf(annotation: unknown, bodies: readonly unknown[]): TimeNote {
  const span = spanOf(firstOf(annotation, 'target', 'on'));
  const said = bodies.map((body) => ({ text: textOfBody(body), isTag: isTag(body, annotation) }));
  const texts = said.filter(({ text, isTag: is }) => text !== '' && !is).map(({ text }) => text);
  const tags = said.filter(({ text, isTag: is }) => text !== '' && is).map(({ text }) => text);
  return { from: span?.from, to: span?.to, text: texts.join('\n'), tags };
}

/** Reads one page of annotations. */
export function readTimeNotes(page: unknown): TimeNotes {
  const captions: LinkedFile[] = [];
  const lines: Cue[] = [];
  const notes: TimeNote[] = [];
  for (const annotation of itemsOf(firstOf(page, 'items', 'resources'), 20_000)) {
    const bodies = bodiesOf(annotation);
    const files = bodies.flatMap(linkedFile).filter(isCaptions);
    captions.push(...files);
    if (files.length > 0) continue;
    const note = noteOf(annotation, bodies);
    const isLine = motivationsOf(annotation).some((name) => transcribing.includes(name));
    if (note.text === '' && note.tags.length === 0) continue;
    if (isLine && note.from !== undefined) {
      lines.push({ from: note.from, to: note.to ?? note.from + 5, text: note.text, voice: '' });
    } else notes.push(note);
  }
  return { captions, lines, label: textsOf(memberOf(page, 'label')), notes };
}
