/** The text of the pages for screen readers: paragraphs without the hyphens of lines, which the image refers to. */
import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { gapBetween } from '../../model/text/carets.ts';
import { type PageText, type TextLine, wordsOfLine } from '../../model/text/page-text.ts';
import { stage } from '../../state/stages.ts';
import { pageTexts } from '../../state/text/page-texts.ts';

/** The words of a line, those that a hyphen parts whole in the line where they begin. */
const spokenLine = (text: PageText, line: TextLine): string =>
  wordsOfLine(text, line)
    .map((word) => word.joined ?? word.text)
    .filter((word) => word !== '')
    .reduce((before, word) => before + (before === '' ? '' : gapBetween(before, word)) + word, '');

interface Paragraph {
  readonly block: number;
  readonly lines: readonly TextLine[];
}

function paragraphsOf({ lines }: PageText): readonly Paragraph[] {
  const paragraphs: { block: number; lines: TextLine[] }[] = [];
  for (const line of lines) {
    const last = paragraphs.at(-1);
    if (last?.block === line.block) last.lines.push(line);
    else paragraphs.push({ block: line.block, lines: [line] });
  }
  return paragraphs;
}

function Spoken({ text, paragraph }: { readonly text: PageText; readonly paragraph: Paragraph }): VNode {
  const language = paragraph.lines[0]?.language;
  const direction = paragraph.lines[0]?.direction;
  return (
    <p lang={language} dir={direction === 'rtl' ? 'rtl' : 'ltr'}>
      {paragraph.lines.map((line) => {
        const spoken = `${spokenLine(text, line)} `;
        return line.language === language ? spoken : <span lang={line.language}>{spoken}</span>;
      })}
    </p>
  );
}

/** The description and the details of the image, as long as there are texts. */
function useReference(description: string, details: string): void {
  const element = stage.value?.focusElement;
  const isThere = pageTexts.value.pages.some(({ text }) => text.words.length > 0);
  useEffect(() => {
    if (element === undefined || !isThere) return undefined;
    element.setAttribute('aria-describedby', description);
    element.setAttribute('aria-details', details);
    return () => {
      element.removeAttribute('aria-describedby');
      element.removeAttribute('aria-details');
    };
  }, [element, isThere]);
}

export function ReadableText(): VNode | null {
  const id = useId();
  useReference(`${id}-hint`, id);
  const pages = pageTexts.value.pages.filter(({ text }) => text.words.length > 0);
  if (pages.length === 0) return null;
  return (
    <div id={id} class="readable-text">
      <p id={`${id}-hint`}>{message('text-follows')}</p>
      {pages.map(({ path, label, text }) => (
        <section key={path} aria-label={message('text-of-page', { label })}>
          {paragraphsOf(text).map((paragraph, at) => (
            <Spoken key={at} text={text} paragraph={paragraph} />
          ))}
        </section>
      ))}
    </div>
  );
}
