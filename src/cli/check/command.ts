/** The command `lectern check`: tests a running server from outside, through its proxy. */
import type { Command } from 'commander';
import { decimal, numberFrom } from '../common/numbers.ts';
import { withUsageErrors } from '../common/usage-error.ts';
import { parseBase } from '../compare/servers.ts';
import {
  type Checking,
  checkInfoObject,
  checkLongAddress,
  checkQuery,
  checkReachable,
  checkReady,
  checkScheme,
} from './address-checks.ts';
import { findImage } from './find-image.ts';
import { bad, type Finding, formatFinding, note } from './finding.ts';
import { addressFrom, checkHealth } from './health.ts';
import { identify, imageChecks } from './image-checks.ts';
import { ifAnswered, NoAnswer, probeWithin } from './probe.ts';

interface Flags {
  readonly image?: string;
  readonly timeout: number;
  readonly json?: boolean;
  readonly health?: true;
  readonly ready?: true;
}

/** The findings of a check; a connection that fails is a finding, too. */
async function findingsOf(check: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  const findings = await ifAnswered(check());
  if (!(findings instanceof NoAnswer)) return findings;
  return [bad('connection', findings.message, 'The server answered before; see its log and the proxy’s.')];
}

async function* imageFindings(checking: Checking, given: string | undefined): AsyncGenerator<Finding> {
  const image = given ?? (await findImage(checking.base, checking.probe));
  if (image === undefined) {
    yield note('image', 'none was found through collection.json or the start page; --image names one');
    return;
  }
  yield note('image', `tested with ${image}`);
  const identified = await identify(checking, image);
  for (const check of imageChecks) yield* await findingsOf(() => check(identified));
}

/** Runs all checks and yields each finding at once. `image` is a path without a slash before it. */
export async function* checkServer(checking: Checking, image: string | undefined): AsyncGenerator<Finding> {
  const reachable = await checkReachable(checking);
  yield reachable;
  if (reachable.outcome === 'bad') return;
  yield* await findingsOf(async () => [await checkScheme(checking)]);
  const info = await findingsOf(() => checkInfoObject(checking));
  yield* info;
  // Without the object, this is not the address of the server, and all further checks would fail.
  if (!info.some(({ name }) => name === 'base.url')) return;
  yield* await findingsOf(async () => [await checkReady(checking)]);
  yield* await findingsOf(async () => [await checkQuery(checking)]);
  yield* await findingsOf(async () => [await checkLongAddress(checking)]);
  yield* imageFindings(checking, image);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function summaryOf(findings: readonly Finding[]): string {
  const faults = findings.filter(({ outcome }) => outcome === 'bad').length;
  return faults === 0 ? 'Nothing is wrong.' : `${faults} ${faults === 1 ? 'thing is' : 'things are'} wrong.`;
}

const check = (url: string, { image, timeout, json = false }: Flags): Promise<number> =>
  withUsageErrors(async () => {
    const base = parseBase('the address', url);
    const findings: Finding[] = [];
    const path = image?.replace(/^\/+|\/+$/g, '');
    for await (const finding of checkServer({ base, probe: probeWithin(timeout * 1000) }, path)) {
      findings.push(finding);
      if (!json) for (const line of formatFinding(finding)) print(line);
    }
    print(json ? JSON.stringify({ base, findings }, undefined, 2) : `\n${summaryOf(findings)}`);
    return findings.some(({ outcome }) => outcome === 'bad') ? 1 : 0;
  });

/** One request in place of all checks; without an address, to the server that this environment would start. */
const checkOne = (url: string | undefined, what: 'health' | 'ready', timeout: number): Promise<number> =>
  withUsageErrors(async () => {
    const base = url === undefined ? addressFrom(process.env) : parseBase('the address', url);
    return checkHealth(base, what, probeWithin(timeout * 1000));
  });

const help = `
The address is the one that people use, through the proxy and with the context path: https://library.example/digilib.
Each check prints a line: ✓ is good, ✗ is wrong and says what to do, – is a note.

Exit code: 0 where nothing is wrong, 1 where something is, 2 for wrong use.`;

export function addCheckCommand(lectern: Command): void {
  lectern
    .command('check')
    .description('Tests a running server from outside, through its proxy: addresses, headers, caching, slashes.')
    .argument('[url]', 'public address, such as https://library.example/digilib')
    .option('--image <path>', 'image to test with, such as books/herbal/page-001 (default: one that it finds)')
    .option('--timeout <seconds>', 'longest wait for an answer', numberFrom(0.1, 3600, decimal), 30)
    .option(
      '--health',
      'ask only whether the server lives; without an address, the one that this environment (PORT, HOST, LECTERN_HTTP__PORT …) starts',
    )
    .option('--ready', 'ask only whether all parts of the server are ready; the address as for --health')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', help)
    .action(async (url: string | undefined, flags: Flags, self: Command) => {
      const { health, ready, timeout } = flags;
      if (health || ready) process.exitCode = await checkOne(url, health ? 'health' : 'ready', timeout);
      else if (url === undefined) self.error("error: missing required argument 'url'");
      else process.exitCode = await check(url, flags);
    });
}
