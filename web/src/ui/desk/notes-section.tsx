/** The notes on all images, or on those of a book: a list with a search, and files of what it shows. */
import { useSignal } from '@preact/signals';
import { Download, FileText, Printer, Table } from 'lucide';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { deskMessage } from '../../messages/desk-messages.ts';
import type { DeskRoute } from '../../model/address/routes.ts';
import { type DeskNote, findNotes } from '../../model/desk/desk.ts';
import { allNotes, recent } from '../../state/desk/desk.ts';
import { replaceRoute } from '../../state/route.ts';
import { Button, RouteLink } from '../common/button.tsx';
import { noteStyle } from '../common/elements.ts';
import { formatCount } from '../common/words.ts';
import { DetailPicture } from './detail-picture.tsx';
import { noteName, noteRoute } from './note-words.ts';

const box = { width: 220, height: 160 };

function Note({ note }: { readonly note: DeskNote }): VNode {
  const { page, content, region } = note;
  return (
    <li style={noteStyle(content.color)}>
      <RouteLink to={noteRoute(note)} class="desk-note">
        <DetailPicture path={page.path} region={region} box={box} />
        <span>
          <small class="muted">
            {[page.title, page.label, noteName(note)].filter((text) => text !== '').join(' · ')}
          </small>
          {content.text !== undefined && <span class="desk-note-text">{content.text}</span>}
          {content.tags !== undefined && <small>{content.tags.map((tag) => `#${tag}`).join(' ')}</small>}
        </span>
      </RouteLink>
    </li>
  );
}

/** The books that have notes, with their titles. */
function booksOf(notes: readonly DeskNote[]): ReadonlyMap<string, string> {
  return new Map(notes.map(({ page }) => [page.folder, page.title || page.folder]));
}

interface SavingProps {
  readonly notes: readonly DeskNote[];
}

type Save = typeof import('./save-notes.ts').saveWord;

function Saving({ notes }: SavingProps): VNode {
  const state = useSignal('');
  const save = (which: 'saveAnnotations' | 'saveTable' | 'saveWord') => async (): Promise<void> => {
    const act: Save = (await import('./save-notes.ts'))[which];
    const saved = await act(notes, (done, total) => {
      state.value = deskMessage('saving', { done: formatCount(done), total: formatCount(total) });
    });
    const missing = notes.length - saved;
    state.value = missing === 0 ? '' : deskMessage('saved-without', { count: formatCount(missing) });
  };
  return (
    <>
      <div class="button-row row wrap no-print">
        <Button icon={Download} onClick={save('saveAnnotations')}>
          {deskMessage('save-w3c')}
        </Button>
        <Button icon={Table} onClick={save('saveTable')}>
          {deskMessage('save-csv')}
        </Button>
        <Button icon={FileText} onClick={save('saveWord')}>
          {deskMessage('save-word')}
        </Button>
        <Button icon={Printer} onClick={() => print()}>
          {deskMessage('save-pdf')}
        </Button>
      </div>
      <p class="soft" role="status">
        {state.value}
      </p>
    </>
  );
}

const Search = ({
  route,
  books,
}: {
  readonly route: DeskRoute;
  readonly books: ReadonlyMap<string, string>;
}): VNode => (
  <div class="desk-search row wrap no-print">
    <input
      type="search"
      value={route.search}
      aria-label={deskMessage('find-notes')}
      placeholder={deskMessage('find-notes')}
      onInput={({ currentTarget }) => replaceRoute({ ...route, search: currentTarget.value })}
    />
    <select
      aria-label={deskMessage('book')}
      onChange={({ currentTarget }) => {
        const { selectedIndex, value } = currentTarget;
        replaceRoute({ ...route, book: selectedIndex === 0 ? undefined : value });
      }}
    >
      <option selected={route.book === undefined}>{deskMessage('all-books')}</option>
      {[...books].map(([folder, title]) => (
        <option key={folder} value={folder} selected={route.book === folder}>
          {title}
        </option>
      ))}
    </select>
  </div>
);

export function NotesSection({ route }: { readonly route: DeskRoute }): VNode {
  // Read anew when the page is opened, and after a backup was restored.
  const all = useMemo(allNotes, [recent.value]);
  const found = findNotes(all, route.search, route.book);
  return (
    <section class="desk-notes" aria-labelledby="desk-notes">
      <h2 id="desk-notes">{deskMessage('notes')}</h2>
      {all.length === 0 ? (
        <p class="soft">{deskMessage('no-notes')}</p>
      ) : (
        <>
          <Search route={route} books={booksOf(all)} />
          <p class="soft" role="status">
            {found.length === 0
              ? deskMessage('notes-nothing')
              : deskMessage('note-count', { count: formatCount(found.length), total: formatCount(all.length) })}
          </p>
          {found.length > 0 && <Saving notes={found} />}
          <ul class="desk-note-list">
            {found.map((note) => (
              <Note key={`${note.page.path} ${note.kind} ${note.number}`} note={note} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
