/** The keys of signed links, and the links that were revoked: a file that is read again when it changes. */
import { createHash, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

export interface LinkKey {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface LinkKeys {
  /** By name, in the order of the file: the first one signs where nothing else is asked for. */
  readonly keys: ReadonlyMap<string, LinkKey>;
  /** The ids of links. */
  readonly revoked: ReadonlySet<string>;
}

export const keyNameForm = /^[a-z0-9][\w.-]{0,39}$/i;

const revokedWord = 'revoked';

/** No key is used for anything else, also where a file has the same one for sessions. */
const keyOf = (name: string, text: string): LinkKey => ({
  name,
  bytes: createHash('sha256').update('lectern signed link\0').update(Buffer.from(text, 'base64url')).digest(),
});

/** Throws TypeError for anything but keys and revoked links; the message contains nothing of a key. */
export function parseLinkKeys(text: string): LinkKeys {
  const keys = new Map<string, LinkKey>();
  const revoked = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const words = line.trim().split(/\s+/);
    const [name = '', value = ''] = words;
    if (name === '' || name.startsWith('#')) continue;
    const isKey = /^[\w-]{43}$/.test(value) && keyNameForm.test(name) && !keys.has(name);
    if (words.length !== 2 || (name !== revokedWord && !isKey))
      throw new TypeError(
        `line ${index + 1} of the file of link keys must be a name and 43 characters, as lectern sign --new-key NAME prints them, or revoked and the id of a link`,
      );
    if (name === revokedWord) revoked.add(value);
    else keys.set(name, keyOf(name, value));
  }
  return { keys, revoked };
}

export const newKeyLine = (name: string): string => `${name} ${randomBytes(32).toString('base64url')}`;

/** The keys of a file, as it is at the moment. Rejects where it can't be read. */
export type ReadLinkKeys = () => Promise<LinkKeys>;

export function createLinkKeys(file: string): ReadLinkKeys {
  let read: { readonly version: string; readonly keys: LinkKeys } | undefined;
  return async () => {
    const { mtimeNs, size, ino } = await stat(file, { bigint: true });
    const version = `${mtimeNs} ${size} ${ino}`;
    if (read?.version !== version) read = { version, keys: parseLinkKeys(await readFile(file, 'utf8')) };
    return read.keys;
  };
}
