/** What signed links open: an image, or a folder with all below it. */
import { isImageName } from '../image/model/formats.ts';
import { type Identifier, splitPage } from '../image/model/identifier.ts';
import { isForNobody, type Need, type Rank, rankBy, wholeRank } from './path-rules.ts';

/** What a signed link opens, as far as that was verified. */
export interface LinkGrant {
  readonly id: string;
  /** For whom it is. */
  readonly recipient?: string | undefined;
  /** The paths under which the library showed the image or the folder when the link was signed. */
  readonly paths: readonly Identifier[];
  /** The name of the tier that it gives at most; undefined for the whole. */
  readonly tier?: string | undefined;
  /** The roles of who signed it, which have to open it still; undefined where the site itself did. */
  readonly roles?: ReadonlySet<string> | undefined;
}

/**
 * Whether a link is for a path, or for a folder around it. Rules hold for all spellings of a name, but a link for the signed one alone:
 * on most disks, `Rare` lies beside `rare`.
 */
export function isLinkFor({ paths }: LinkGrant, { segments }: Identifier): boolean {
  return paths.some(({ segments: signed }) => {
    const isBelow = signed.length <= segments.length && signed.every((name, index) => name === segments[index]);
    return isBelow || isPageOf(signed, segments);
  });
}

/** Whether a path is that of a page in the signed image file. */
function isPageOf(signed: readonly string[], asked: readonly string[]): boolean {
  const { file } = splitPage(asked.at(-1) ?? '');
  const ofFile = [...asked.slice(0, -1), file];
  return isImageName(file) && ofFile.length === signed.length && ofFile.every((name, index) => name === signed[index]);
}

/**
 * The best that roles and links give. Links open nothing that is for nobody, and nothing that those who signed them may not see
 * any more. `rankOfTier` is undefined for tiers that there are not.
 */
export function rankWithLinks(
  need: Need,
  roles: ReadonlySet<string>,
  links: readonly LinkGrant[],
  rankOfTier: (name: string) => Rank | undefined,
): Rank {
  let rank = rankBy(need, roles);
  if (need === undefined || isForNobody(need)) return rank;
  for (const link of links) {
    const most = link.tier === undefined ? wholeRank : rankOfTier(link.tier);
    const ofSigner = link.roles === undefined ? wholeRank : rankBy(need, link.roles);
    if (most !== undefined) rank = Math.min(rank, Math.max(most, ofSigner));
  }
  return rank;
}
