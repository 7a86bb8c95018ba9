/** `lectern check --health` and `--ready`: one request, for containers and scripts; the exit code is the answer. */
import { httpSettings } from '../../config/groups/http.ts';
import { settingsSchema } from '../../config/settings.ts';
import { type Environment, readEnvironment } from '../../config/sources/environment.ts';
import { parseBase } from '../common/base-address.ts';
import { UsageError, withUsageErrors } from '../common/usage-error.ts';
import { printable } from './finding.ts';
import { ifAnswered, jsonObject, NoAnswer, type Probe, probeWithin, type Reply } from './probe.ts';

/** The server that this environment would start: its own machine's address, and the root, where health is answered too. */
export function addressFrom(environment: Environment): string {
  const given = httpSettings.safeParse(readEnvironment(settingsSchema, environment).values['http'] ?? {});
  if (!given.success || given.data.port === 0) {
    throw new UsageError('the environment names no port of a server; give the address as an argument');
  }
  const { host, port } = given.data;
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** The names of the parts that an answer of `/readyz` says are not ready. */
export function notReadyIn(reply: Reply): readonly string[] {
  const names = jsonObject(reply)?.['notReady'];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** Prints the state of the server at an address, and gives the exit code: 0 where it is well, else 1. */
export async function checkHealth(base: string, what: 'health' | 'ready', probe: Probe): Promise<number> {
  const url = `${base}${what === 'health' ? '/healthz' : '/readyz'}`;
  const reply = await ifAnswered(probe(url));
  if (reply instanceof NoAnswer) {
    console.log(`${url} does not answer: ${printable(reply.message)}`);
    return 1;
  }
  const notReady = notReadyIn(reply);
  const isWell = reply.status === 200;
  const state = notReady.length > 0 ? `not ready: ${notReady.join(', ')}` : `status ${reply.status}`;
  console.log(`${url}: ${printable(state)}`);
  return isWell ? 0 : 1;
}

/** One request in place of all checks; without an address, to the server that this environment would start. */
export const checkOne = (url: string | undefined, what: 'health' | 'ready', timeout: number): Promise<number> =>
  withUsageErrors(async () => {
    const base = url === undefined ? addressFrom(process.env) : parseBase('the address', url);
    return checkHealth(base, what, probeWithin(timeout * 1000));
  });
