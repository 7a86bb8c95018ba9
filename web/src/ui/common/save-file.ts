/** Saves bytes that the page has as a file of the reader. */

/** Time that a browser may take to begin the download from memory, in ms. */
const maxStartMs = 60_000;

/** Downloads an address; a name that the server gives has precedence over an empty one. */
export const download = (address: string, name: string): void =>
  Object.assign(document.createElement('a'), { href: address, download: name }).click();

export function saveFile(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  download(address, name);
  setTimeout(() => URL.revokeObjectURL(address), maxStartMs);
}
