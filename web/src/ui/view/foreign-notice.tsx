/** What else is said where a manifest of another host can't be shown: its address, and what its page says. */

import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import { parseForeignPath } from '../../model/address/address-text.ts';
import { openedNow } from '../../state/opened.ts';
import { ForeignPageFacts } from '../about/foreign-facts.tsx';

export function ForeignNotice({ path }: { readonly path: string }): VNode {
  const manifest = parseForeignPath(path)?.manifest;
  return (
    <>
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
