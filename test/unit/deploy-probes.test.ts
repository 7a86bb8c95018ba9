/** Whoever asks a server for its health waits longer than its answer can take, in every file of `deploy`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingsSchema } from '../../src/app/settings/settings.ts';
import { answerWithinMs } from '../../src/core/library/roots/root-disks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const longestAnswerSeconds = answerWithinMs / 1000;
const { http, limits } = settingsSchema.parse({ library: { folders: ['/scans'] } });

/** The number of seconds that follows a name in a file. */
function secondsIn(file: string, name: string): number {
  const [, seconds] = new RegExp(`${name}[ =]*(\\d+)s?\\b`).exec(read(file)) ?? [];
  if (seconds === undefined) throw new Error(`${file} has no ${name}`);
  return Number(seconds);
}

interface Probe {
  readonly timeoutSeconds?: number;
  readonly periodSeconds: number;
  readonly httpGet?: { readonly path: string };
}

/** All probes of a file of Kubernetes that ask for an address. */
const probesIn = (file: string): readonly (readonly [name: string, probe: Probe])[] =>
  parseAllDocuments(read(file)).flatMap((document) => {
    const { kind, metadata, spec } = document.toJS();
    if (kind !== 'Deployment') return [];
    return Object.entries<Probe>(spec.template.spec.containers[0])
      .filter(([name, probe]) => /Probe$/.test(name) && probe.httpGet !== undefined)
      .map(([name, probe]) => [`${metadata.name}: ${name}`, probe] as const);
  });

describe('probes and health checks', () => {
  it('of Varnish wait longer than /readyz does', () => {
    expect(secondsIn('deploy/varnish.vcl', '\\.timeout')).toBeGreaterThan(longestAnswerSeconds);
    expect(secondsIn('deploy/varnish.vcl', '\\.interval')).toBeGreaterThanOrEqual(
      secondsIn('deploy/varnish.vcl', '\\.timeout'),
    );
  });

  it('of the image wait longer than the command in it, and this longer than a server', () => {
    const command = secondsIn('Dockerfile', '"--timeout", "');
    expect(command).toBeGreaterThan(longestAnswerSeconds);
    expect(secondsIn('Dockerfile', 'HEALTHCHECK .*--timeout')).toBeGreaterThan(command);
  });

  it('of Compose do so too', () => {
    const files = readdirSync(path.join(root, 'deploy')).filter((name) => /^compose.*\.yaml$/.test(name));
    const checks = files.flatMap((file) => {
      const services: Record<string, { healthcheck?: { test: string[]; timeout: string; disable?: true } }> = parse(
        read(`deploy/${file}`),
        { merge: true },
      ).services;
      return Object.values(services).flatMap(({ healthcheck }) => healthcheck ?? []);
    });
    // Of the worker.
    expect(checks).toHaveLength(1);
    for (const { disable, test, timeout } of checks) {
      expect(disable).toBeUndefined();
      const command = Number(test[test.indexOf('--timeout') + 1]);
      expect(command).toBeGreaterThan(longestAnswerSeconds);
      expect(Number.parseInt(timeout, 10)).toBeGreaterThan(command);
    }
  });

  it.each(readdirSync(path.join(root, 'deploy/kubernetes')))('of Kubernetes in %s do so too', (file) => {
    for (const [name, { timeoutSeconds, periodSeconds }] of probesIn(`deploy/kubernetes/${file}`)) {
      expect(timeoutSeconds, name).toBeGreaterThan(longestAnswerSeconds);
      expect(periodSeconds, name).toBeGreaterThanOrEqual(Number(timeoutSeconds));
    }
  });
});

describe('proxies', () => {
  it.each([
    ['deploy/nginx.conf', 'proxy_read_timeout'],
    ['deploy/nginx-many.conf', 'proxy_read_timeout'],
    ['deploy/varnish.vcl', '\\.first_byte_timeout'],
  ])('%s waits for a picture as long as a server takes, and longer', (file, name) =>
    expect(secondsIn(file, name) * 1000).toBeGreaterThan(limits.deadlineMs),
  );
});

it('a server that is ended has the time that running answers get', () => {
  expect(secondsIn('deploy/lectern.service', 'TimeoutStopSec') * 1000).toBeGreaterThan(http.drainMs);
  expect(secondsIn('deploy/compose.yaml', 'stop_grace_period:') * 1000).toBeGreaterThan(http.drainMs);
});
