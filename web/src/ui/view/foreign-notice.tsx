/** What else is said where a manifest of another host can't be shown: its address, and the books of a collection. */

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { textFor } from '../../../../src/core/image/folder/folder-metadata.ts';
import type { Problem } from '../../data/fetch.ts';
import { language, message } from '../../messages/messages.ts';
import { foreignPath, parseForeignPath } from '../../model/address/address-text.ts';
import { imageRoute } from '../../model/address/routes.ts';
import type { CollectionMember } from '../../model/manifest/book.ts';
import { RouteLink } from '../common/button.tsx';

function CollectionList(): VNode {
  const members = useSignal<readonly CollectionMember[]>([]);
  useEffect(() => {
    void import('../../state/foreign.ts').then(({ collectionMembers }) => {
      members.value = collectionMembers();
    });
  }, []);
  return (
    <ul class="collection-members">
      {members.value.map(({ address, label }) => (
        <li key={address}>
          <RouteLink to={imageRoute(foreignPath({ manifest: address, canvas: '' }))}>
            {textFor(label, [language.value]).join(' ') || address}
          </RouteLink>
        </li>
      ))}
    </ul>
  );
}

export function ForeignNotice({ path, problem }: { readonly path: string; readonly problem: Problem }): VNode {
  const manifest = parseForeignPath(path)?.manifest;
  return (
    <>
      {problem === 'collection' && <CollectionList />}
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
