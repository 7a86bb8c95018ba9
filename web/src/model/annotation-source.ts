/** Finds out whether the source of an annotation is a certain image of the library. */

import { splitPage } from '../../../src/core/image/model/identifier.ts';
import { keyOfPage } from '../../../src/features/presentation/model/addresses.ts';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether `part` stands in an address between the marks that separate names. */
function isIn(address: string, part: string): boolean {
  const at = address.indexOf(part);
  const before = address[at - 1] ?? '/';
  const behind = address[at + part.length] ?? '/';
  return at >= 0 && /[/=]/.test(before) && /[/?#&]/.test(behind);
}

/** The end of a canvas's address in manifests of this library. */
function canvasPath(path: string): string {
  const { file, page } = splitPage(path);
  const names = file.split('/');
  return [...names.slice(0, -1), 'canvas', keyOfPage(names.at(-1) ?? '', page)].join('/');
}

/**
 * Whether an address is of the image at a path, on any host: its IIIF service (with `slash` for `/`), its canvas in
 * the manifest of the folder, or its page in the reading room. An empty address stands for any image.
 */
export function isAddressOf(address: string, path: string, slash: string): boolean {
  if (address === '') return true;
  const names = decoded(address).replaceAll(slash, '/');
  const plain = path.replaceAll(slash, '/');
  // Earlier exports named canvases by the file itself.
  return isIn(names.replace('/canvas/', '/'), plain) || isIn(names, canvasPath(plain));
}
