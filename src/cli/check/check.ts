/** Runs `lectern check`: all checks, one after the other. */

import { parseBase } from '../common/option-values.ts';
import { withUsageErrors } from '../common/usage-error.ts';
import {
  type Checking,
  checkInfoObject,
  checkLongAddress,
  checkQuery,
  checkReachable,
  checkReady,
  checkScheme,
} from './address-checks.ts';
import { identify, imageChecks } from './image-checks.ts';
import { bad, type Finding, findImage, formatFinding, ifAnswered, NoAnswer, note, probeWithin } from './probe.ts';

export interface CheckFlags {
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

/** Prints the findings, and gives the exit code. */
export const check = (url: string, { image, timeout, json = false }: CheckFlags): Promise<number> =>
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
