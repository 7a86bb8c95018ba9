/** The members of a collection as cards: picture, title, kind, date and places. */
import { BookOpen, LibraryBig } from 'lucide';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { collectionCount, collectionMessage } from '../../messages/collection-messages.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { drawnAtOnce, type ListedMember } from '../../state/open-collection.ts';
import { readerText } from '../../state/reader-languages.ts';
import { PlaceLinks } from '../about/place-links.tsx';
import { Icon, RouteLink } from '../common/button.tsx';
import { BreakableName } from '../common/picture.tsx';
import { useForeignPicture } from './foreign-picture.ts';

const icons = { book: BookOpen, collection: LibraryBig } as const;

interface MemberProps {
  readonly member: ListedMember;
  readonly box: Size;
}

/** A blank cover where there is no picture. */
function MemberPicture({ member: { thumbnail, kind }, box }: MemberProps): VNode {
  const picture = useForeignPicture(thumbnail, box);
  if (picture === undefined) {
    return (
      <span class={`blank-cover of-${kind}`}>
        <Icon of={icons[kind]} size={26} />
      </span>
    );
  }
  const { key, ...rest } = picture;
  return <img key={key} {...rest} alt="" width={box.width} height={box.height} loading="lazy" />;
}

export const titleOfMember = ({ label, address }: ListedMember): string => readerText(label).join(' ') || address;

const Facts = ({ member: { kind, inside, date } }: Pick<MemberProps, 'member'>): VNode => (
  <small class="member-facts">
    <Icon of={icons[kind]} size={14} />
    <span>{collectionMessage(`kind-${kind}`)}</span>
    {inside > 0 && <span> · {collectionCount('entries', inside)}</span>}
    {date !== undefined && (
      <span>
        {' · '}
        <time dateTime={date}>{date}</time>
      </span>
    )}
  </small>
);

interface LookProps {
  readonly size: 'few' | 'many';
  /** Whether they have a picture or a blank cover. */
  readonly pictured: boolean;
  readonly embedded: boolean;
}

const boxes = { few: { width: 520, height: 340 }, many: { width: 272, height: 208 } } as const;

function MemberCard({ member, size, pictured, embedded }: LookProps & Pick<MemberProps, 'member'>): VNode {
  const summary = readerText(member.summary).join(' ');
  return (
    <li data-key={member.key}>
      <RouteLink class="folder-card" to={viewRoute(plainView(member.path), embedded)}>
        {pictured && (
          <span class="mat">
            <MemberPicture member={member} box={boxes[size]} />
          </span>
        )}
        <strong class="clamp of-three">
          <BreakableName name={titleOfMember(member)} />
        </strong>
        {summary !== '' && <span class="card-summary clamp">{summary}</span>}
        <Facts member={member} />
      </RouteLink>
      {member.places.length > 0 && (
        <div class="member-places">
          <PlaceLinks places={member.places} />
        </div>
      )}
    </li>
  );
}

interface PartProps extends LookProps {
  readonly members: readonly ListedMember[];
}

/**
 * A part of the list, whose elements are the same as before where nothing of it has changed, so that a long list that grows is not
 * compared from its beginning.
 */
function CardsPart({ members, size, pictured, embedded }: PartProps): VNode {
  return useMemo(
    () => (
      <ul class={`folder-cards ${size}`}>
        {members.map((member) => (
          <MemberCard key={member.key} member={member} size={size} pictured={pictured} embedded={embedded} />
        ))}
      </ul>
    ),
    [members, size, pictured, embedded],
  );
}

interface MemberCardsProps extends PartProps {
  /** How many are drawn, in parts of `drawnAtOnce`. */
  readonly drawn: number;
}

/** A list in parts, of which the browser need not lay out those that are not seen. */
export function MemberCards({ members, drawn, ...look }: MemberCardsProps): VNode {
  const parts = useMemo(
    () =>
      Array.from({ length: Math.ceil(members.length / drawnAtOnce) }, (_, index) =>
        members.slice(index * drawnAtOnce, (index + 1) * drawnAtOnce),
      ),
    [members],
  );
  return (
    <div class={look.pictured ? 'collection-members pictured' : 'collection-members'}>
      {parts.slice(0, Math.ceil(drawn / drawnAtOnce)).map((part, index) => (
        <CardsPart key={index} members={part} {...look} />
      ))}
    </div>
  );
}
