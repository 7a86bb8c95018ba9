/** The choice among the orders in which the pages of a manifest can be read. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { foreignImage } from '../../data/images.ts';
import { manifestMessage } from '../../messages/manifest-messages.ts';
import { foreignPath } from '../../model/address/address-text.ts';
import { imageRoute } from '../../model/address/routes.ts';
import { openedNow } from '../../state/opened.ts';
import { readerText } from '../../state/reader-languages.ts';
import { goTo } from '../../state/route.ts';

export function PageOrders(): VNode | null {
  const id = useId();
  const open = foreignImage(openedNow()?.path ?? '');
  if (open === undefined || open.about.orders.length === 0) return null;
  const { manifest, page, about } = open;
  return (
    <section class="panel-section">
      <label for={id}>{manifestMessage('page-order')}</label>
      <select
        id={id}
        value={String(about.order)}
        onChange={({ currentTarget }) =>
          goTo(imageRoute(foreignPath({ manifest, canvas: page.id, order: Number(currentTarget.value) })))
        }
      >
        {about.orders.map((label, index) => (
          <option key={index} value={String(index + 1)}>
            {readerText(label).join(' ') || index + 1}
          </option>
        ))}
      </select>
    </section>
  );
}
