/** The dialog for some pages of a folder. */

import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { Dialog } from '../common/dialog.tsx';
import { PageRange, type PageRangeProps } from './page-range.tsx';

export const RangeDialog = ({ onClose, ...range }: PageRangeProps & { readonly onClose: () => void }): VNode => (
  <Dialog title={message('range-title')} onClose={onClose}>
    <PageRange {...range} />
  </Dialog>
);
