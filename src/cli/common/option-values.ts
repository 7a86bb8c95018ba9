/** The values of options: numbers, and addresses of servers. */
import { isIPv6 } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { UsageError } from './usage-error.ts';

const whole = /^\d{1,10}$/;
export const decimal = /^\d{1,10}(?:\.\d{1,6})?$/;

/** A parser of numbers within bounds, for an option. */
export const numberFrom =
  (least: number, most: number, form = whole) =>
  (text: string): number => {
    if (form.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It is a number from ${least} to ${most}.`);
  };

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

/** The origin of a server that listens on this host, as seen on this machine. */
export function originOnThisMachine(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
