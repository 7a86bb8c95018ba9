/** Parses the address of a server that an argument gives. */
import { UsageError } from './usage-error.ts';

/** The base address of a server, without a slash at its end. Throws UsageError. */
export function parseBase(option: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text)) {
    throw new UsageError(`${option} is no address; it must look like http://host:8080/digilib`);
  }
  const { origin, pathname, search, hash, username, password } = new URL(text);
  if (username !== '' || password !== '') throw new UsageError(`${option} holds a password, which can’t be sent on`);
  if (search !== '' || hash !== '') throw new UsageError(`${option} must be an address without ? and #`);
  return origin + pathname.replace(/\/+$/, '');
}
