/** The text of the pages beside the image: its lines, which the image lights up and which light it up, and another text beside them. */
import { Download, ScanText } from 'lucide';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { textAddress } from '../../data/fetch.ts';
import { language, message } from '../../messages/messages.ts';
import '../../messages/text-messages.ts';
import '../../styles/reading.css';
import { isForeign } from '../../model/address/address-text.ts';
import { certainFrom, isUncertain, wholeText } from '../../model/text/page-text.ts';
import { choiceName, joinedChoices, type TextChoice } from '../../model/text/text-choices.ts';
import { pageTexts, retryTexts, showsUncertain, type TextPage } from '../../state/text/page-texts.ts';
import { hasText, selectsText, toggleSelectsText } from '../../state/tools.ts';
import { changeView, view } from '../../state/view.ts';
import { Button, Icon } from '../common/button.tsx';
import { CheckBox } from '../common/fields.tsx';
import { ProblemNotice } from '../common/loading.tsx';
import { CopyButton } from '../common/take-along.tsx';
import { formatPercent } from '../common/words.ts';
import { LinesOfPage } from './text-lines.tsx';
import { TextTools } from './text-tools.tsx';

/** Of this library alone: other hosts have texts as they like. */
function DownloadLink({ page: { path, label, key, choices } }: { readonly page: TextPage }): VNode | null {
  if (isForeign(path)) return null;
  const isFirst = key === choices[0]?.key;
  const name = `${label || path}${isFirst ? '' : `.${key}`}.txt`;
  return (
    <a class="button" href={textAddress(path, 'txt', isFirst ? undefined : key)} download={name}>
      <Icon of={Download} size={16} />
      {message('text-download')}
    </a>
  );
}

function PageSection({ page, isOnly }: { readonly page: TextPage; readonly isOnly: boolean }): VNode {
  const { label, text } = page;
  return (
    <section class="panel-section">
      {!isOnly && <h3>{label}</h3>}
      {text.words.length === 0 ? (
        <p class="soft">{message('text-empty')}</p>
      ) : (
        <>
          <LinesOfPage page={page} />
          <div class="button-row row wrap">
            <CopyButton text={() => wholeText(text)} name={message('text-copy-all')} label={message('text-copy-all')} />
            <DownloadLink page={page} />
          </div>
        </>
      )}
    </section>
  );
}

function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames(language.value, { type: 'language' }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(language.value) + name.slice(1);
  } catch {
    return tag;
  }
}

const nameOf = (choice: TextChoice): string =>
  choiceName(choice, { text: message('text-transcription'), plain: message('text-plain'), languageName });

interface TextSelectProps {
  readonly label: string;
  readonly chosen: string;
  readonly options: readonly (readonly [key: string, name: string])[];
  readonly onChoose: (key: string) => void;
}

function TextSelect({ label, chosen, options, onChoose }: TextSelectProps): VNode {
  const id = useId();
  return (
    <>
      <label for={id}>{label}</label>
      <select id={id} value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}

/** Which text is shown, and which beside it, where the pages have several. */
export function TextChoices({ withBeside = true }: { readonly withBeside?: boolean }): VNode | null {
  const { pages } = pageTexts.value;
  const choices = joinedChoices(pages.map((page) => page.choices));
  if (choices.length < 2) return null;
  const usual = choices[0]?.key ?? '';
  const [wanted = '', beside = ''] = view.value.texts;
  const shown = wanted === '' ? usual : wanted;
  const options = choices.map((choice) => [choice.key, nameOf(choice)] as const);
  const choose = (first: string, second: string): void => {
    const key = first === usual ? '' : first;
    const other = second === first ? '' : second;
    changeView({ texts: other === '' ? (key === '' ? [] : [key]) : [key, other] });
  };
  return (
    <div class="text-select">
      <TextSelect
        label={message('text-choice')}
        chosen={shown}
        options={options}
        onChoose={(key) => choose(key, key === beside ? shown : beside)}
      />
      {withBeside && (
        <TextSelect
          label={message('text-beside')}
          chosen={beside}
          options={[['', message('text-beside-none')], ...options.filter(([key]) => key !== shown)]}
          onChoose={(key) => choose(shown, key)}
        />
      )}
    </div>
  );
}

/** Selecting on the image, and marking the words of which the recognition was not sure, where there are any. */
function Choices(): VNode {
  const { pages } = pageTexts.value;
  const hasPlaces = pages.some(({ text }) => text.words.some(({ box }) => box !== undefined));
  const uncertain = pages.reduce((sum, { text }) => sum + text.words.filter(isUncertain).length, 0);
  return (
    <div class="text-choices">
      <TextChoices />
      {hasPlaces && (
        <Button icon={ScanText} tool pressed={selectsText.value} onClick={toggleSelectsText}>
          {message('tool-text')}
        </Button>
      )}
      {uncertain > 0 && (
        <CheckBox
          chosen={showsUncertain}
          text={message('text-uncertain', { count: uncertain, percent: formatPercent(certainFrom) })}
        />
      )}
      {selectsText.value && <p class="tool-hint">{message('hint-text')}</p>}
    </div>
  );
}

export function TextPanel(): VNode {
  const { pages, isLoading, problem } = pageTexts.value;
  if (!hasText.value) return <p class="soft">{message('text-none')}</p>;
  return (
    <div class="text-panel">
      <div role="status">{isLoading && <p class="soft">{message('loading')}</p>}</div>
      {problem !== undefined && problem !== 'aborted' && <ProblemNotice problem={problem} onRetry={retryTexts} />}
      {pages.length > 0 && <TextTools />}
      {pages.length > 0 && <Choices />}
      {pages.map((page) => (
        <PageSection key={page.path} page={page} isOnly={pages.length === 1} />
      ))}
    </div>
  );
}
