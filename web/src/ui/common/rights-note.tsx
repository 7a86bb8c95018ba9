/** The rights and the required statement in one line, beside what they govern. */
import type { VNode } from 'preact';
import type { FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import { rightsName } from '../../../../src/core/image/folder/rights.ts';
import { allowedAddress, linkedPieces, rightsAt } from '../../model/text/metadata-text.ts';
import { RightsLink } from './folder-facts.tsx';

type Governed = Pick<FolderListing, 'rights' | 'attribution'>;

/** The required statement as plain text; empty for none. */
const requiredText = ({ attribution }: Governed): string =>
  attribution
    .map((text) =>
      linkedPieces(text)
        .map((piece) => piece.text)
        .join(''),
    )
    .join(', ');

/** The same as text alone, with the address of the rights: for paper. */
export function rightsLine({ rights, attribution }: Governed): string {
  const name = rights === null ? '' : rightsName(rights);
  const address = rights === null || name === rights ? '' : rights;
  return [requiredText({ rights, attribution }), name, address].filter((part) => part !== '').join(' · ');
}

/** `isShort` for little room: a license by its short name. Nothing where the metadata says nothing of rights. */
export function RightsNote({
  folder,
  isShort = false,
}: {
  readonly folder: Governed;
  readonly isShort?: boolean;
}): VNode | null {
  const { rights } = folder;
  const required = requiredText(folder);
  if (rights === null && required === '') return null;
  const short = rights !== null && isShort && rightsAt(rights) !== undefined ? rightsName(rights) : undefined;
  return (
    <p class={isShort ? 'rights-note short' : 'rights-note'}>
      {required !== '' && <span>{required}</span>}
      {rights !== null && <RightsLink rights={rights} short={short} opensTab={allowedAddress(rights) !== undefined} />}
    </p>
  );
}
