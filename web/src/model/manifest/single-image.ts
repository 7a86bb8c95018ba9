/** An image alone, as its `info.json` describes it: a manifest with one canvas. */
import { decodeText } from '../address/address-text.ts';
import { isObject, memberOf } from '../json-value.ts';
import { firstOf, idOf, itemsOf, typeOf } from './members.ts';
import { sizeOf } from './page-image.ts';

/** Version 3 says its type, version 2 and 1.1 the protocol or the context, and 1.1 the profile alone where it is old. */
function isImageInfo(json: unknown): boolean {
  if (/^ImageService[123]$/.test(typeOf(json)) || memberOf(json, 'protocol') === 'http://iiif.io/api/image')
    return true;
  const said = [...itemsOf(memberOf(json, '@context'), 5), ...itemsOf(memberOf(json, 'profile'), 5)];
  return said.some((value) => typeof value === 'string' && /image-api|\/api\/image\//.test(value));
}

/** The manifest of an image by its `info.json`; undefined for any other JSON. `address` is where that was found. */
export function manifestOfImage(json: unknown, address: string): object | undefined {
  const size = sizeOf(json);
  if (!isObject(json) || size === undefined || !isImageInfo(json)) return undefined;
  const id = (idOf(json) || address.replace(/\/info\.json(?:[?#].*)?$/, '')).replace(/\/$/, '');
  const name = decodeText(id.split('/').at(-1) ?? '') || id;
  const service = { ...json, id, '@id': id, profile: firstOf(json, 'profile') };
  const canvas = `${id}/canvas`;
  const painting = {
    type: 'Annotation',
    motivation: 'painting',
    body: { type: 'Image', ...size, service: [service] },
    target: canvas,
  };
  return {
    id: address,
    type: 'Manifest',
    label: { none: [name] },
    items: [
      {
        id: canvas,
        type: 'Canvas',
        label: { none: [name] },
        ...size,
        items: [{ type: 'AnnotationPage', items: [painting] }],
      },
    ],
  };
}
