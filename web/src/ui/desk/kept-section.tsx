/** Bookmarks and details in their collections, with a note on each. */
import { LayoutPanelTop, X } from 'lucide';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { deskMessage } from '../../messages/desk-messages.ts';
import { message } from '../../messages/messages.ts';
import { parseRoute } from '../../model/address/address.ts';
import { lightTableRoute, type Route } from '../../model/address/routes.ts';
import { collectionsOf, type Kept } from '../../model/desk/desk.ts';
import { tableOf, tablePairs } from '../../model/light-table/table-query.ts';
import { changeKept, kept } from '../../state/desk/desk.ts';
import { Icon, IconButton, RouteLink } from '../common/button.tsx';
import { DetailPicture } from './detail-picture.tsx';

const box = { width: 260, height: 200 };

export function routeAt(address: string): Route {
  const [path = '', query = ''] = address.split('?', 2);
  return parseRoute({ path, query, fragment: '' });
}

const change = (id: string, to: Partial<Kept>): void =>
  changeKept((list) => list.map((one) => (one.id === id ? { ...one, ...to } : one)));

/** Pages and details on a light table. */
const layOutRoute = (items: readonly Kept[]): Route =>
  lightTableRoute(tablePairs(tableOf(items.map(({ path, region }) => ({ path, region })))));

interface ItemProps {
  readonly item: Kept;
  /** The id of the list of names of collections. */
  readonly names: string;
}

function Item({ item, names }: ItemProps): VNode {
  const { id, path, label, title, address, region, collection, note } = item;
  const name = [title, label].filter((text) => text !== '').join(', ');
  return (
    // Not while the reader is at its fields: they would move to another collection, and lose the focus.
    <li
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
        const typed = currentTarget.querySelector('input')?.value.trim() ?? collection;
        if (typed !== collection) change(id, { collection: typed });
      }}
    >
      <RouteLink class="desk-card" to={routeAt(address)}>
        <DetailPicture path={path} region={region} box={box} />
        <strong class="clamp">{name}</strong>
      </RouteLink>
      <IconButton
        icon={X}
        name={deskMessage('remove-kept', { name })}
        onClick={() => changeKept((list) => list.filter((one) => one.id !== id))}
      />
      <input
        type="text"
        list={names}
        defaultValue={collection}
        placeholder={deskMessage('collection')}
        aria-label={deskMessage('collection-of', { name })}
      />
      <textarea
        rows={2}
        value={note}
        placeholder={deskMessage('note-here')}
        aria-label={deskMessage('note-of', { name })}
        onInput={({ currentTarget }) => change(id, { note: currentTarget.value })}
      />
    </li>
  );
}

export function KeptSection(): VNode {
  const names = useId();
  const list = kept.value;
  const collections = collectionsOf(list);
  const groups = [...collections, ''].map((name) => ({
    name,
    items: list.filter(({ collection }) => collection === name),
  }));
  return (
    <section aria-labelledby="desk-kept">
      <h2 id="desk-kept">{deskMessage('kept')}</h2>
      <RouteLink class="button no-print" to={lightTableRoute()}>
        <Icon of={LayoutPanelTop} size={16} />
        {deskMessage('free-table')}
      </RouteLink>
      {list.length === 0 && <p class="soft">{deskMessage('kept-none')}</p>}
      <datalist id={names}>
        {collections.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {groups.map(
        ({ name, items }) =>
          items.length > 0 && (
            <section key={name} class="desk-collection">
              {collections.length > 0 && <h3>{name || deskMessage('no-collection')}</h3>}
              <RouteLink class="button lay-out no-print" to={layOutRoute(items)}>
                <Icon of={LayoutPanelTop} size={16} />
                {message('lay-out')}
              </RouteLink>
              <ul class="desk-cards kept">
                {items.map((item) => (
                  <Item key={item.id} item={item} names={names} />
                ))}
              </ul>
            </section>
          ),
      )}
    </section>
  );
}
