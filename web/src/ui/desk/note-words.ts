/** What a note on the desk is called, and where it leads. */
import { deskMessage } from '../../messages/desk-messages.ts';
import { type ViewRoute, viewRoute } from '../../model/address/routes.ts';
import type { DeskNote } from '../../model/desk/desk.ts';
import { plainView } from '../../model/view-state.ts';
import { formatCount } from '../common/words.ts';

export const noteName = ({ kind, number }: DeskNote): string =>
  deskMessage(`kind-${kind}`, { number: formatCount(number) });

/** The part of the page around a note. */
export const noteRoute = ({ page, region }: DeskNote): ViewRoute => viewRoute({ ...plainView(page.path), region });
