/** The panel of guided views: those beside the scans of the book, and those that the reader makes. */
import { type Signal, useSignal } from '@preact/signals';
import { FilePlus2, Play, Plus, Trash2 } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import type { Tour, TourStep } from '../../../../src/core/image/tour/tour.ts';
import { foreignImage } from '../../data/images.ts';
import { languages, languageTags } from '../../messages/messages.ts';
import { tourMessage } from '../../messages/tour-messages.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { parseJson } from '../../model/json-value.ts';
import { languagesOf, noLanguage, textIn, withText } from '../../model/tour/draft.ts';
import { isSamePage, stepView } from '../../model/tour/step-view.ts';
import { openedNow } from '../../state/opened.ts';
import { goTo, page } from '../../state/route.ts';
import {
  addDraft,
  changeTour,
  chooseDraft,
  draft,
  drafts,
  editedLanguage,
  editLanguage,
  isUnstored,
  removeDraft,
  viewNow,
} from '../../state/tour/drafts.ts';
import { loadTour, ownSource } from '../../state/tour/loaded-tour.ts';
import { playTour } from '../../state/tour/playing.ts';
import { packTour } from '../../state/tour/tour-text.ts';
import { changeView, flushViewport, view } from '../../state/view.ts';
import { Button } from '../common/button.tsx';
import { OpenFileButton } from '../common/open-file-button.tsx';
import { ShareSection } from './share-section.tsx';
import { StepList } from './step-list.tsx';
import { enterFullScreen } from './tour-screen.ts';
import { chosenText, languageName, problemKey } from './words.ts';

type Says = (text: string) => void;

async function playOfLibrary(path: string, says: Says): Promise<void> {
  enterFullScreen();
  const found = await loadTour(path);
  if (found.ok) playTour(path, found.tour);
  else says(tourMessage(problemKey(found.problem)));
}

async function copyOfLibrary(path: string, says: Says): Promise<void> {
  const found = await loadTour(path);
  if (found.ok) addDraft(found.tour);
  says(
    tourMessage(
      found.ok ? 'tour-opened' : problemKey(found.problem),
      found.ok ? { count: found.tour.steps.length } : {},
    ),
  );
}

/** Those beside the scans. */
function BookTours({ says }: { readonly says: Says }): VNode | null {
  const tours = openedNow()?.folder.tours ?? [];
  if (tours.length === 0) return null;
  return (
    <section class="panel-section">
      <h3>{tourMessage('tour-here')}</h3>
      <ul class="list tour-offers">
        {tours.map(({ path, title, summary }) => (
          <li key={path}>
            <strong>{title}</strong>
            {summary !== '' && <p class="soft">{summary}</p>}
            <div class="button-row row wrap">
              <Button primary icon={Play} onClick={() => void playOfLibrary(path, says)}>
                {tourMessage('tour-play')}
                <span class="off-screen"> {title}</span>
              </Button>
              <Button onClick={() => void copyOfLibrary(path, says)}>{tourMessage('tour-change')}</Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows a step without playing. */
function show(step: TourStep): void {
  flushViewport();
  const state = stepView(step);
  const opened = openedNow();
  const here = page.peek();
  if (opened !== undefined && isSamePage(opened.path, state.fn)) changeView({ ...state, fn: view.peek().fn });
  else goTo(viewRoute(state, here.kind === 'view' && here.embedded));
}

async function play({ id, tour }: { readonly id: string; readonly tour: Tour }): Promise<void> {
  enterFullScreen();
  playTour((await packTour(tour)) ?? ownSource(id), tour);
}

/** Which of several is edited; and a new one. */
function DraftChoice(): VNode {
  const id = useId();
  return (
    <div class="tour-choice row">
      {drafts.value.length > 1 && (
        <>
          <label class="off-screen" for={id}>
            {tourMessage('tour-choose')}
          </label>
          <select id={id} value={draft.value?.id} onChange={({ currentTarget }) => chooseDraft(currentTarget.value)}>
            {drafts.value.map((one) => (
              <option key={one.id} value={one.id}>
                {chosenText(one.tour.title).words || tourMessage('tour-untitled')}
              </option>
            ))}
          </select>
        </>
      )}
      <Button icon={FilePlus2} onClick={() => addDraft()}>
        {tourMessage('tour-new')}
      </Button>
    </div>
  );
}

function LanguageChoice({ tour }: { readonly tour: Tour }): VNode {
  const id = useId();
  const tags = [...new Set([noLanguage, ...languageTags, ...languagesOf(tour), editedLanguage.value])];
  return (
    <p class="tour-language row">
      <label for={id}>{tourMessage('tour-language')}</label>
      <select id={id} value={editedLanguage.value} onChange={({ currentTarget }) => editLanguage(currentTarget.value)}>
        {tags.map((tag) => (
          <option key={tag} value={tag}>
            {tag === noLanguage
              ? tourMessage('tour-any-language')
              : Object.hasOwn(languages, tag)
                ? languages[tag as keyof typeof languages]
                : languageName(tag)}
          </option>
        ))}
      </select>
    </p>
  );
}

function TitleField({ tour }: { readonly tour: Tour }): VNode {
  const id = useId();
  const language = editedLanguage.value;
  return (
    <p class="tour-fields">
      <label for={id}>{tourMessage('tour-name')}</label>
      <input
        id={id}
        lang={language === noLanguage ? undefined : language}
        maxLength={500}
        placeholder={chosenText(tour.title).words}
        value={textIn(tour.title, language)}
        onInput={({ currentTarget }) =>
          changeTour((before) => ({ ...before, title: withText(before.title, language, currentTarget.value) }))
        }
      />
    </p>
  );
}

/** Deletes a whole tour at the second press. */
function DeleteButton({ id }: { readonly id: string }): VNode {
  const isSure = useSignal(false);
  useEffect(() => {
    isSure.value = false;
  }, [id]);
  return (
    <Button
      icon={Trash2}
      onClick={() => {
        if (isSure.peek()) removeDraft(id);
        isSure.value = !isSure.peek();
      }}
    >
      {tourMessage(isSure.value ? 'tour-delete-sure' : 'tour-delete')}
    </Button>
  );
}

interface DraftSectionProps {
  readonly says: Says;
  /** Of the step whose fields are open; undefined for none. */
  readonly edited: Signal<number | undefined>;
}

function DraftSection({ says, edited }: DraftSectionProps): VNode {
  const now = draft.value;
  const steps = now?.tour.steps ?? [];
  const add = (): void => {
    const step = { ...viewNow(), title: {}, text: {} };
    changeTour((tour) => ({ ...tour, steps: [...tour.steps, step] }));
    edited.value = (draft.peek()?.tour.steps.length ?? 1) - 1;
    says(tourMessage('tour-added', { number: (edited.peek() ?? 0) + 1 }));
  };
  return (
    <section class="panel-section">
      {now && (
        <>
          <DraftChoice />
          <TitleField tour={now.tour} />
          <LanguageChoice tour={now.tour} />
        </>
      )}
      {steps.length === 0 && <p class="soft">{tourMessage('tour-none')}</p>}
      {now && <StepList key={now.id} tour={now.tour} edited={edited} says={says} onShow={show} />}
      <div class="button-row row wrap">
        <Button icon={Plus} primary={steps.length === 0} onClick={add}>
          {tourMessage('tour-add')}
        </Button>
        {now && steps.length > 0 && (
          <Button icon={Play} primary onClick={() => void play(now)}>
            {tourMessage('tour-play')}
          </Button>
        )}
        {now && <DeleteButton id={now.id} />}
      </div>
    </section>
  );
}

/** The manifest of the open page, where it has annotations. */
function annotatedManifest(): string | undefined {
  const opened = openedNow();
  const image = opened && foreignImage(opened.path);
  const isAnnotated = opened?.folder.images.some(({ annotated }) => annotated.length > 0) === true;
  return isAnnotated ? image?.manifest : undefined;
}

function OpenSection({ says }: { readonly says: Says }): VNode {
  const manifest = annotatedManifest();
  const take = (tour: Tour | undefined): void => {
    if (tour !== undefined) addDraft(tour);
    says(tour === undefined ? tourMessage('tour-no-tour') : tourMessage('tour-opened', { count: tour.steps.length }));
  };
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const { tourIn } = await import('../../state/tour/annotation-tour.ts');
    take(await tourIn(parseJson(await file.text())));
  };
  const readManifest = async (address: string): Promise<void> => {
    says(tourMessage('tour-saving'));
    const found = await loadTour(address);
    take(found.ok ? found.tour : undefined);
  };
  return (
    <section class="panel-section">
      <div class="button-row row wrap">
        <OpenFileButton
          name={tourMessage('tour-open')}
          accept=".json,.jsonld,application/json,application/ld+json"
          onFile={(file) => void read(file)}
        />
        {manifest !== undefined && (
          <Button onClick={() => void readManifest(manifest)}>{tourMessage('tour-of-annotations')}</Button>
        )}
      </div>
    </section>
  );
}

export function TourPanel(): VNode {
  const said = useSignal('');
  const edited = useSignal<number | undefined>(undefined);
  const says: Says = (text) => {
    said.value = text;
  };
  const now = draft.value;
  return (
    <div class="tour-panel">
      <BookTours says={says} />
      <DraftSection says={says} edited={edited} />
      <p class="tour-said soft" role="status">
        {said.value}
      </p>
      {isUnstored.value && <p>{tourMessage('tour-unstored')}</p>}
      {now && now.tour.steps.length > 0 && <ShareSection tour={now.tour} says={says} />}
      <OpenSection says={says} />
    </div>
  );
}
