/** Seals small values so that only servers with the same keys can read or make them (JWE, RFC 7516), and opens them. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { CompactEncrypt, compactDecrypt } from 'jose';

export interface Sealing {
  /** A text of letters, digits, `-`, `_` and dots. `use` says what it is for: a value that was sealed for another use is not opened. */
  seal(use: string, value: object): Promise<string>;
  /** Undefined for anything else than what one of the keys has sealed for this use. */
  open(use: string, text: string): Promise<unknown>;
}

const keyForm = /^[\w-]{43}$/;

/** The keys of a file, a line each, the newest first: 32 bytes in the form `base64url`. Throws TypeError for anything else. */
export function parseSessionKeys(text: string): readonly Uint8Array[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0 || !keys.every((key) => keyForm.test(key)))
    throw new TypeError(
      'the file of session keys must have lines of 43 characters, as lectern password --session-key prints them',
    );
  return keys.map((key) => Buffer.from(key, 'base64url'));
}

/** Each use has a key of its own, so that nothing sealed for one can stand for another. */
const keyFor = (use: string, key: Uint8Array): Uint8Array =>
  createHash('sha256').update(`lectern ${use}\0`).update(key).digest();

const header = { alg: 'dir', enc: 'A256GCM' } as const;

/** The keys are read again when the file changes, so that they can be rotated while the server runs. */
export function createSealing(keysFile: string): Sealing {
  let read: { readonly changedMs: number; readonly keys: readonly Uint8Array[] } | undefined;

  async function keys(): Promise<readonly Uint8Array[]> {
    const { mtimeMs: changedMs } = await stat(keysFile);
    if (read?.changedMs !== changedMs) read = { changedMs, keys: parseSessionKeys(await readFile(keysFile, 'utf8')) };
    return read.keys;
  }

  async function opened(text: string, key: Uint8Array): Promise<Uint8Array | undefined> {
    const options = { keyManagementAlgorithms: [header.alg], contentEncryptionAlgorithms: [header.enc] };
    return compactDecrypt(text, key, options).then(
      ({ plaintext }) => plaintext,
      () => undefined,
    );
  }

  return {
    async seal(use, value) {
      const [newest] = await keys();
      if (newest === undefined) throw new TypeError('there is no session key');
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      return new CompactEncrypt(bytes).setProtectedHeader(header).encrypt(keyFor(use, newest));
    },
    async open(use, text) {
      for (const key of await keys()) {
        const plain = await opened(text, keyFor(use, key));
        if (plain !== undefined) return JSON.parse(new TextDecoder().decode(plain));
      }
      return undefined;
    },
  };
}
