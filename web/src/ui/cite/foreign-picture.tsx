/** Where the picture of another host's image is: its address there, and the visible part of it by its image service. */
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { foreignImage } from '../../data/images.ts';
import { message } from '../../messages/message.ts';
import { pixelsOfRegion } from '../../model/cite/picture-address.ts';
import { regionAddress } from '../../model/manifest/foreign-service.ts';
import type { Opened } from '../../state/opened.ts';
import { pictured } from '../../state/viewport.ts';
import { CopyRow } from './copy-row.tsx';

export function ForeignPicture({ opened, image }: { readonly opened: Opened; readonly image: Size }): VNode | null {
  const source = foreignImage(opened.path)?.page.image;
  if (source === undefined) return null;
  const { service, address } = source;
  const visible = service && regionAddress(service, pixelsOfRegion(pictured.value.region, image), image);
  return (
    <section class="panel-section">
      <h3>{message('picture')}</h3>
      {visible !== undefined && <CopyRow name={message('cite-iiif')} text={visible} href={visible} />}
      {address !== undefined && <CopyRow name={message('cite-foreign-picture')} text={address} href={address} />}
      {service !== undefined && (
        <CopyRow name="info.json" text={`${service.id}/info.json`} href={`${service.id}/info.json`} />
      )}
    </section>
  );
}
