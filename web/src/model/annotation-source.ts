/** Which addresses in a file of annotations speak of one image. */

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether an address names the image at a path, whatever the server was called and in whichever of our forms: as a IIIF
 * service, where `slash` stands between the names, as a canvas of the folder's manifest, as a page of the reading room.
 * What names nothing is about the image that it is read for.
 */
export function isAddressOf(address: string, path: string, slash: string): boolean {
  if (address === '') return true;
  const names = decoded(address).replaceAll(slash, '/').replace('/canvas/', '/');
  const plain = path.replaceAll(slash, '/');
  const at = names.indexOf(plain);
  const before = names[at - 1] ?? '/';
  const behind = names[at + plain.length] ?? '/';
  return at >= 0 && /[/=]/.test(before) && /[/?#&]/.test(behind);
}
