/** The content state of the view (IIIF Content State 1.0): for other viewers, and as an address of this one. */
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { baseAddress } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { encodeContent, formatContentState } from '../../model/cite/content-states.ts';
import { canvasAddress, onCanvas } from '../../state/notes/page-annotations.ts';
import type { Opened } from '../../state/opened.ts';
import { pictured } from '../../state/viewport.ts';
import { CopyRow } from './copy-row.tsx';

const isWhole = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }): boolean =>
  x === 0 && y === 0 && width === 1 && height === 1;

export function ContentStateRows({ opened, image }: { readonly opened: Opened; readonly image: Size }): VNode {
  const address = canvasAddress(opened, image);
  const { region } = pictured.value;
  const json = formatContentState({
    ...address,
    region: isWhole(region) ? undefined : onCanvas(region, address),
  });
  const encoded = encodeContent(json);
  const link = `${baseAddress()}view?iiif-content=${encoded}`;
  return (
    <>
      <CopyRow name={message('content-state-link')} text={link} href={link} />
      <CopyRow name={message('content-state')} text={encoded}>
        <p class="soft">{message('content-state-use')}</p>
      </CopyRow>
    </>
  );
}
