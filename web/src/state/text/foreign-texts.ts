/** The texts of a page of another host's manifest: its annotations and the files that it links; loaded when the first is wanted. */
import { parseLanguages, textFor } from '../../../../src/core/image/folder/folder-metadata.ts';
import { type Answer, fault } from '../../data/fetch.ts';
import { fetchForeignJson, fetchForeignText as fetchText } from '../../data/foreign-hosts.ts';
import { readTextFile } from '../../data/text-files.ts';
import { language } from '../../messages/messages.ts';
import type { ManifestPage } from '../../model/manifest/canvas.ts';
import { type PageTextFile, uniqueKeys } from '../../model/manifest/text-sources.ts';
import { nextPageOf } from '../../model/notes/canvas-annotations.ts';
import { annotatedTexts, type WrittenText } from '../../model/text/annotated-text.ts';
import { readPageText } from '../../model/text/page-text.ts';
import { formatLabels, type LoadedText, type TextChoice } from '../../model/text/text-choices.ts';

/** Pages of annotations that are requested for one page of a book, with those that follow them. */
const maxRequests = 60;

interface Annotated {
  readonly texts: ReadonlyMap<string, WrittenText>;
  readonly failed: Answer<never> | undefined;
}

/** The texts in all annotations of a page, by their keys: their languages, else `annotations`. */
async function fetchAnnotated(page: ManifestPage, signal: AbortSignal | undefined): Promise<Annotated> {
  const { annotations, canvas, canvasId: id, place } = page;
  const texts = new Map<string, WrittenText>();
  if (canvas === undefined) return { texts, failed: undefined };
  const keyOf = uniqueKeys();
  const queue = [...annotations];
  let failed: Answer<never> | undefined;
  for (let requests = 0; queue.length > 0 && requests < maxRequests; requests += 1) {
    const source = queue.shift();
    const answer =
      typeof source === 'string' ? await fetchForeignJson(source, signal) : { ok: true as const, value: source };
    if (!answer.ok) {
      failed = answer;
      continue;
    }
    for (const [tag, text] of annotatedTexts(answer.value, { id, size: canvas, place })) {
      texts.set(keyOf(tag === '' ? 'annotations' : tag.toLowerCase()), text);
    }
    const next = nextPageOf(answer.value);
    if (next !== undefined) queue.unshift(next);
  }
  return { texts, failed };
}

const known = new WeakMap<ManifestPage, Promise<Annotated>>();

/** Asked once for each page; where a host failed or the reader went on, again. */
function annotatedOf(page: ManifestPage, signal: AbortSignal | undefined): Promise<Annotated> {
  const before = known.get(page);
  if (before !== undefined) return before;
  const now = fetchAnnotated(page, signal);
  known.set(page, now);
  void now.then(({ failed }) => {
    if (failed !== undefined || signal?.aborted) known.delete(page);
  });
  return now;
}

/** Files of the same key as annotations come after them. */
function choicesOf(
  { texts: files }: ManifestPage,
  texts: Annotated['texts'],
): readonly (TextChoice & { readonly file?: PageTextFile })[] {
  const languages = [language.peek(), ...parseLanguages(navigator.languages.join(','))];
  const keyOf = uniqueKeys();
  return [
    ...[...texts].map(([key, { language: tag }]) => ({ key: keyOf(key), ...(tag && { language: tag }) })),
    ...files.map((file) => {
      const format = formatLabels[file.format];
      const label = textFor(file.label, languages).join(' ');
      return {
        key: keyOf(file.key),
        file,
        ...(label !== '' && { label }),
        ...(file.language && { language: file.language }),
        ...(format && { format }),
      };
    }),
  ];
}

/** A text by its key; an empty one is the first: that of the annotations, else that of the first file. */
export async function fetchForeignText(
  page: ManifestPage,
  key: string,
  signal?: AbortSignal,
): Promise<Answer<LoadedText>> {
  const { texts, failed } = await annotatedOf(page, signal);
  if (signal?.aborted) return fault('aborted');
  const choices = choicesOf(page, texts);
  const chosen = key === '' ? choices[0] : choices.find((one) => one.key === key);
  const shown = choices.map(({ file, ...choice }): TextChoice => choice);
  if (chosen === undefined) {
    if (failed !== undefined) return failed;
    const empty = { direction: 'ltr', width: 1, height: 1, blocks: [] } as const;
    return { ok: true, value: { text: readPageText(empty), choices: shown } };
  }
  const annotated = chosen.file === undefined ? texts.get(chosen.key) : undefined;
  if (annotated !== undefined) return { ok: true, value: { text: readPageText(annotated), choices: shown } };
  const { file } = chosen;
  if (file === undefined || page.canvas === undefined) return fault('not-found');
  const answer = await fetchText(file.address, signal);
  if (!answer.ok) return answer;
  const written = readTextFile(file.format, answer.value, page.canvas);
  const withLanguage = file.language === undefined ? written : { ...written, language: file.language };
  return { ok: true, value: { text: readPageText(withLanguage), choices: shown } };
}
