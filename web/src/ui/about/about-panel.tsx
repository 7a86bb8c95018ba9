/** The panel with facts about the image, chapters, links to other programs, and preferences. */
import '../../styles/cite.css';
import { useSignal } from '@preact/signals';
import { Keyboard, Ruler, Share2 } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { type Opened, openedNow } from '../../state/opened.ts';
import { openDialog } from '../../state/tools.ts';
import { Button } from '../common/button.tsx';
import { ChapterList, chapterAt } from '../common/chapters.tsx';
import { lazily } from '../common/lazy.tsx';
import { Preferences } from '../common/preferences.tsx';
import { type ImageSubject, manifestOf } from '../open-with/addresses.ts';
import { DragIcon } from '../open-with/drag-icon.tsx';
import { ImageFactsList, WorkFacts } from './image-facts.tsx';

const OpenWith = lazily(async () => (await import('../open-with/open-with.tsx')).OpenWith);

const subjectOf = ({ path, card, folder, at }: Opened): ImageSubject => ({
  kind: 'image',
  path,
  title: card.label,
  folder: folder.path,
  at,
});

function OpenElsewhere({ opened }: { readonly opened: Opened }): VNode {
  const isOpen = useSignal(false);
  const subject = subjectOf(opened);
  const manifest = manifestOf(subject);
  const close = (): void => {
    isOpen.value = false;
  };
  return (
    <section class="panel-section">
      <h3>{message('open-with')}</h3>
      {manifest !== undefined && <DragIcon subject={subject} manifest={manifest} />}
      <Button
        icon={Share2}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {message('open-with')}
      </Button>
      {isOpen.value && <OpenWith subject={subject} onClose={close} />}
    </section>
  );
}

function Contents({ opened }: { readonly opened: Opened }): VNode | null {
  const { contents } = opened.folder;
  if (contents.length === 0) return null;
  return (
    <nav class="panel-section" aria-label={message('contents')}>
      <h3>{message('contents')}</h3>
      <ChapterList contents={contents} current={chapterAt(contents, opened.at)} />
    </nav>
  );
}

const ReaderPreferences = (): VNode => (
  <section class="panel-section">
    <h3>{message('about-reader')}</h3>
    <div class="preferences">
      <Preferences />
    </div>
    <div class="button-row">
      <Button icon={Ruler} onClick={() => openDialog('calibration')}>
        {message('calibrate')}
      </Button>
      <Button icon={Keyboard} onClick={() => openDialog('keyboard')}>
        {message('keyboard')}
      </Button>
    </div>
  </section>
);

export function AboutPanel(): VNode | null {
  const opened = openedNow();
  if (opened === undefined) return null;
  return (
    <>
      <section class="panel-section">
        <WorkFacts opened={opened} />
      </section>
      <section class="panel-section">
        <h3>{message('about-image')}</h3>
        <ImageFactsList opened={opened} />
      </section>
      <Contents opened={opened} />
      <OpenElsewhere opened={opened} />
      <ReaderPreferences />
    </>
  );
}
