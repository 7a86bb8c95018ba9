/** The books that were open, each with a link to the page where it was left. */
import { useSignal } from '@preact/signals';
import { X } from 'lucide';
import type { VNode } from 'preact';
import { deskMessage } from '../../messages/desk-messages.ts';
import { imageRoute } from '../../model/address/routes.ts';
import type { RecentBook } from '../../model/desk/desk.ts';
import { changeRecent, recent, remembersBooks } from '../../state/desk/desk.ts';
import { Button, IconButton, RouteLink } from '../common/button.tsx';
import { CheckBox } from '../common/fields.tsx';
import { formatCount } from '../common/words.ts';
import { DetailPicture } from './detail-picture.tsx';

/** Number of books that are shown at first. */
const firstShown = 6;

const box = { width: 160, height: 200 };

const forget = (folder: string): void => changeRecent((list) => list.filter((one) => one.folder !== folder));

function Book({ book }: { readonly book: RecentBook }): VNode {
  const { path, title, folder, label, at, total } = book;
  const name = title || folder || label;
  return (
    <li>
      <RouteLink class="desk-card" to={imageRoute(path)}>
        <DetailPicture path={path} region={null} box={box} />
        <strong class="clamp">{name}</strong>
        <small>{deskMessage('page-of', { at: formatCount(at), total: formatCount(total), label })}</small>
        <progress value={at} max={total} aria-hidden="true" />
      </RouteLink>
      <IconButton icon={X} name={deskMessage('forget-book', { title: name })} onClick={() => forget(folder)} />
    </li>
  );
}

export function RecentSection(): VNode {
  const all = useSignal(false);
  const list = recent.value;
  const shown = all.value ? list : list.slice(0, firstShown);
  return (
    <section aria-labelledby="desk-recent">
      <h2 id="desk-recent">{deskMessage('continue')}</h2>
      {list.length === 0 && <p class="soft">{deskMessage('continue-none')}</p>}
      <ul class="desk-cards">
        {shown.map((book) => (
          <Book key={book.folder} book={book} />
        ))}
      </ul>
      <div class="button-row row wrap">
        {shown.length < list.length && (
          <Button
            onClick={() => {
              all.value = true;
            }}
          >
            {deskMessage('show-all', { count: formatCount(list.length) })}
          </Button>
        )}
        {list.length > 0 && <Button onClick={() => changeRecent(() => [])}>{deskMessage('forget')}</Button>}
        <CheckBox chosen={remembersBooks} text={deskMessage('remembers')} />
      </div>
    </section>
  );
}
