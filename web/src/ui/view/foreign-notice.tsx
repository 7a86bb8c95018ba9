/** What else is said where a manifest of another host can't be shown: its address, what its page says, and the books of a collection. */

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Problem } from '../../data/fetch.ts';
import { manifestMessage } from '../../messages/manifest-messages.ts';
import { message } from '../../messages/messages.ts';
import { foreignPath, parseForeignPath } from '../../model/address/address-text.ts';
import { imageRoute } from '../../model/address/routes.ts';
import type { CollectionMember, ManifestCollection } from '../../model/manifest/book.ts';
import { openedNow } from '../../state/opened.ts';
import { readerText } from '../../state/reader-languages.ts';
import { ForeignPageFacts } from '../about/foreign-facts.tsx';
import { PlaceLinks } from '../about/place-links.tsx';
import { RouteLink } from '../common/button.tsx';

const Member = ({ address, label, date, places }: CollectionMember): VNode => (
  <li>
    <RouteLink to={imageRoute(foreignPath({ manifest: address, canvas: '' }))}>
      {readerText(label).join(' ') || address}
    </RouteLink>
    {date !== undefined && (
      <>
        {' '}
        <time class="soft" dateTime={date}>
          {date}
        </time>
      </>
    )}
    {places.length > 0 && <PlaceLinks places={places} />}
  </li>
);

/** `Date` knows years of four digits, or of six with a sign. */
const timeOf = ({ date = '' }: CollectionMember): number => {
  const time = Date.parse(date.replace(/^-(\d{4})-/, '-00$1-').replace(/^(\d{6})-/, '+$1-'));
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
};

/** Those without a date come last. */
const byTime = (one: CollectionMember, other: CollectionMember): number =>
  timeOf(one) === timeOf(other) ? 0 : timeOf(one) - timeOf(other);

function CollectionList(): VNode {
  const collection = useSignal<ManifestCollection>({ label: {}, members: [] });
  const byDate = useSignal(false);
  useEffect(() => {
    void import('../../state/foreign.ts').then(({ openedCollection }) => {
      collection.value = openedCollection();
    });
  }, []);
  const { label, members } = collection.value;
  const shown = byDate.value ? members.toSorted(byTime) : members;
  const dates = new Set(members.flatMap(({ date }) => date ?? []));
  return (
    <>
      <h2>{readerText(label).join(' ')}</h2>
      {dates.size > 1 && (
        <label class="choice row">
          <input
            type="checkbox"
            checked={byDate.value}
            onChange={({ currentTarget }) => {
              byDate.value = currentTarget.checked;
            }}
          />
          <span>{manifestMessage('by-date')}</span>
        </label>
      )}
      <ul class="collection-members">
        {shown.map((member) => (
          <Member key={member.address} {...member} />
        ))}
      </ul>
    </>
  );
}

export function ForeignNotice({ path, problem }: { readonly path: string; readonly problem: Problem }): VNode {
  const manifest = parseForeignPath(path)?.manifest;
  return (
    <>
      {problem === 'collection' && <CollectionList />}
      <dl class="facts">
        <ForeignPageFacts path={openedNow()?.path ?? path} />
      </dl>
      {manifest !== undefined && /^https?:\/\//i.test(manifest) && (
        <p class="foreign-address">
          {message('foreign-manifest')}{' '}
          <a href={manifest} target="_blank" rel="noopener noreferrer">
            {manifest}
          </a>
        </p>
      )}
    </>
  );
}
