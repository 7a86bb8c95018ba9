/** Finds out whether the source of an annotation is a certain image. */

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether an address is of the image at a path, on any host: its IIIF service (with `slash` for `/`), its canvas in
 * the manifest of the folder, or its page in the reading room. An empty address stands for any image.
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
