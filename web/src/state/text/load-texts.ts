/** Loads the texts of a page that the reader has chosen, of this library and of manifests of other hosts, and keeps the last ones. */
import { type Answer, fetchPageText } from '../../data/fetch.ts';
import { foreignImage } from '../../data/images.ts';
import { type PageText, readPageText } from '../../model/text/page-text.ts';
import { type ParallelRow, parallelRows, placedAs } from '../../model/text/parallel-lines.ts';
import { formatLabels, type LoadedText, type TextChoice } from '../../model/text/text-choices.ts';

export interface TextBeside {
  readonly key: string;
  readonly text: PageText;
  /** The lines of both texts, as they stand beside each other. */
  readonly rows: readonly ParallelRow[];
}

export interface ChosenTexts {
  readonly key: string;
  readonly text: PageText;
  readonly choices: readonly TextChoice[];
  readonly beside: TextBeside | undefined;
}

/** The number of texts that are kept for turning back. */
const maxKept = 40;

const kept = new Map<string, LoadedText>();

function keep(name: string, text: LoadedText): void {
  kept.delete(name);
  kept.set(name, text);
  const oldest = kept.keys().next().value;
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
}

async function fetchOwn(path: string, key: string, signal?: AbortSignal): Promise<Answer<LoadedText>> {
  const answer = await fetchPageText(path, key, signal);
  if (!answer.ok) return answer;
  const { texts, source } = answer.value;
  const choices = (texts ?? [{ key: source.format, format: source.format }]).map(
    ({ key: one, format, ...others }): TextChoice => {
      const label = formatLabels[format];
      const language = 'language' in others ? others.language : undefined;
      return { key: one, ...(label && { format: label }), ...(language && { language }) };
    },
  );
  return { ok: true, value: { text: readPageText(answer.value), choices } };
}

/** A text of a page by its key; an empty one is the first text. */
async function loadText(path: string, key: string, signal?: AbortSignal): Promise<Answer<LoadedText>> {
  const name = `${path} ${key}`;
  const known = kept.get(name);
  if (known !== undefined) return { ok: true, value: known };
  const foreign = foreignImage(path);
  const answer =
    foreign === undefined
      ? await fetchOwn(path, key, signal)
      : await (await import('./foreign-texts.ts')).fetchForeignText(foreign.page, key, signal);
  if (answer.ok) keep(name, answer.value);
  return answer;
}

/**
 * The text with the first of the keys and the one with the second beside it. A key that the page has not is that of its first
 * text, or of none beside it. A text without places has those of the lines beside which it stands.
 */
export async function loadTexts(
  path: string,
  [wanted = '', wantedBeside = '']: readonly string[],
  signal?: AbortSignal,
): Promise<Answer<ChosenTexts>> {
  const first = await loadText(path, '', signal);
  if (!first.ok) return first;
  const { choices } = first.value;
  const usual = choices[0]?.key ?? '';
  const key = choices.some((choice) => choice.key === wanted) ? wanted : usual;
  const besideKey = wantedBeside !== key && choices.some((choice) => choice.key === wantedBeside) ? wantedBeside : '';
  const named = (one: string): Promise<Answer<LoadedText>> =>
    one === usual ? Promise.resolve(first) : loadText(path, one, signal);
  const [main, other] = await Promise.all([named(key), besideKey === '' ? undefined : named(besideKey)]);
  if (!main.ok) return main;
  if (other?.ok === false) return other;
  const text = placedAs(placedAs(main.value.text, other?.value.text), first.value.text);
  const beside = other && { key: besideKey, text: other.value.text, rows: parallelRows(text, other.value.text) };
  return { ok: true, value: { key, text, choices, beside } };
}
