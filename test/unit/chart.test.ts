// @module-tag helm
/**
 * The Helm chart in `deploy/chart`, as Helm renders it: each manifest by its schema, and what belongs together among them. No cluster
 * takes part.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { renderChart, runHelm } from '../../scripts/render-chart.mjs';
import { settingsSchema } from '../../src/app/settings/settings.ts';
import { answerWithinMs } from '../../src/core/library/roots/root-disks.ts';
import { everythingOff, everythingOn } from '../fixtures/chart-values.ts';
import {
  findManifest,
  isSelected,
  type Manifest,
  parseManifests,
  podsOf,
  type Selector,
  validateManifest,
} from '../fixtures/kubernetes-manifests.ts';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const read = (name: string): string => readFileSync(path.join(deploy, name), 'utf8');
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-chart-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** The arguments of Helm for values, or for the file of an example. */
function argumentsFor(name: string, values: object | 'example'): readonly string[] {
  if (values === 'example') return ['-f', `examples/${name}.yaml`];
  const file = path.join(scratch, `${name}.yaml`);
  writeFileSync(file, stringify(values));
  return ['-f', file];
}

const servers = ['ConfigMap lectern', 'Deployment lectern', 'PodDisruptionBudget lectern', 'Service lectern'];
const workers = ['Deployment lectern-worker', 'Service lectern-worker'];
const redis = ['Deployment lectern-redis', 'Service lectern-redis'];
const scaling = ['HorizontalPodAutoscaler lectern', 'ScaledObject lectern-worker'];
const monitoring = ['PrometheusRule lectern', 'ServiceMonitor lectern', 'ServiceMonitor lectern-worker'];
const policies = ['server', 'worker', 'egress', 'redis'].map((name) => `NetworkPolicy lectern-${name}`);
const allButSecret = [...servers, ...workers, ...redis, ...scaling, ...monitoring, ...policies, 'Ingress lectern'];

const guide = read('../docs/guide/kubernetes.md');
const [, guideValues = ''] = /```yaml\n(.*?)```/s.exec(guide) ?? [];

const sets: readonly (readonly [name: string, values: object | 'example', rendered: readonly string[]])[] = [
  ['defaults', {}, servers],
  ['folders', 'example', [...servers, ...workers, ...redis, ...scaling, 'Ingress lectern']],
  ['buckets', 'example', [...allButSecret, 'Secret lectern']],
  ['the guide', parse(guideValues), [...servers, ...workers, ...redis, 'Ingress lectern']],
  ['everything on', everythingOn, allButSecret],
  ['everything off', everythingOff, servers],
];

/** What each cache in `/var/cache/lectern` may take, by the settings with their defaults. */
function cacheBytesOf(settings: ReturnType<typeof settingsSchema.parse>, isWorker: boolean, builds: number): number {
  const { cache, index, pyramids, search, pdf, dataSets, changes, objectStorage, library } = settings;
  const isHere = (folder: string | false | undefined): boolean =>
    folder === undefined || (folder !== false && folder.startsWith('/var/cache/lectern'));
  const hasBucket = JSON.stringify(library).includes('"s3://');
  const shared =
    (isHere(pyramids.directory) ? pyramids.maxBytes * (pyramids.shared === undefined ? 1 : builds) : 0) +
    (hasBucket && isHere(objectStorage.spoolDirectory) ? objectStorage.spoolMaxBytes : 0);
  if (isWorker) return shared;
  const hasIndex = search.enabled && search.openSearch === undefined;
  return (
    shared +
    (isHere(cache.directory) ? cache.maxBytes : 0) +
    (isHere(index.directory) ? index.maxBytes : 0) +
    (isHere(pdf.directory) ? pdf.maxBytes : 0) +
    (isHere(dataSets.directory) ? dataSets.maxBytes : 0) +
    (isHere(changes.directory) ? changes.maxBytes : 0) +
    (hasIndex && isHere(search.directory) ? search.maxBytes : 0)
  );
}

describe.each(sets)('with values for %s', (name, values, expected) => {
  let rendered: ReturnType<typeof renderChart>;
  let manifests: readonly Manifest[];
  let pods: ReturnType<typeof podsOf>;
  let settingsJson: string;

  // Not while tests are collected, since Helm may be missing.
  beforeAll(() => {
    rendered = renderChart(argumentsFor(name, values));
    manifests = rendered.status === 0 ? parseManifests(rendered.stdout) : [];
    pods = podsOf(manifests);
    settingsJson = manifests.find(({ kind }) => kind === 'ConfigMap')?.['data']['lectern.json'] ?? '{}';
  });

  it('is rendered, and has what it should have', () => {
    expect(rendered.status, rendered.stderr).toBe(0);
    expect(manifests.map((manifest) => `${manifest.kind} ${manifest.metadata.name}`).sort()).toEqual(
      [...expected].sort(),
    );
  });

  it('passes the checks of Helm', () => {
    const lint = runHelm(['lint', '--strict', '.', ...argumentsFor(name, values)]);
    expect(lint.status, lint.stdout).toBe(0);
  });

  it('has manifests that are valid', () => {
    for (const manifest of manifests) validateManifest(manifest);
  });

  it('has settings that the server takes, and files that they name', () => {
    const settings = JSON.parse(settingsJson);
    expect(settingsSchema.safeParse(settings).error).toBeUndefined();
    const files = [...settingsJson.matchAll(/"\/etc\/lectern-secrets\/([^"]+)"/g)].map(([, file]) => file);
    const secret = manifests.find(({ kind }) => kind === 'Secret');
    if (secret !== undefined) expect(Object.keys(secret['stringData'])).toEqual(expect.arrayContaining(files));
    for (const { spec } of files.length > 0 ? pods.filter(({ name }) => !name.endsWith('redis')) : [])
      expect(spec.volumes).toContainEqual({ name: 'secrets', secret: expect.anything() });
  });

  it('has caches that fit on their volumes, with a tenth to spare', () => {
    const settings = settingsSchema.parse(JSON.parse(settingsJson));
    for (const { name, spec, container } of pods.filter(({ container }) => container.name !== 'redis')) {
      const isWorker = name.endsWith('worker');
      const builds = isWorker ? Number(container.args[container.args.indexOf('--jobs') + 1]) : 1;
      const { emptyDir, ephemeral } = spec.volumes.find((volume: { name: string }) => volume.name === 'cache');
      const size = emptyDir?.sizeLimit ?? ephemeral.volumeClaimTemplate.spec.resources.requests.storage;
      const volumeBytes = Number.parseInt(size, 10) * 2 ** 30;
      expect(size).toMatch(/^\d+Gi$/);
      expect(cacheBytesOf(settings, isWorker, builds), name).toBeLessThanOrEqual(volumeBytes * 0.9);
      expect(container.volumeMounts).toContainEqual({ name: 'cache', mountPath: '/var/cache/lectern' });
    }
  });

  it('mounts volumes that are there, and probes ports that are there for longer than an answer takes', () => {
    for (const { name, spec, container, ports } of pods) {
      const volumes = (spec.volumes ?? []).map((volume: { name: string }) => volume.name);
      const mounts = (container.volumeMounts ?? []).map((mount: { name: string }) => mount.name);
      expect(mounts, name).toEqual(volumes);
      const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].flatMap((probe) => container[probe] ?? []);
      expect(probes, name).toHaveLength(container.name === 'redis' ? 2 : 3);
      for (const { timeoutSeconds, httpGet, tcpSocket } of probes) {
        expect(timeoutSeconds * 1000, name).toBeGreaterThan(answerWithinMs);
        const { port } = httpGet ?? tcpSocket ?? ports[0];
        expect(ports.map((one) => one.name)).toContain(port ?? ports[0]?.name);
      }
    }
  });

  it('gives a server that is ended the time that running answers get', () => {
    const { http } = settingsSchema.parse(JSON.parse(settingsJson));
    const { spec, container } = pods.find(({ container }) => container.name === 'lectern') ?? pods[0] ?? never();
    const paused = Number(container.lifecycle.preStop.exec.command[1]);
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(paused + http.drainMs / 1000);
  });

  const selected = (selector: Selector) => pods.filter(({ labels }) => isSelected(labels, selector));
  const all = (...wanted: readonly string[]) =>
    manifests
      .filter(({ kind }) => wanted.includes(kind))
      .map(({ kind, metadata, spec }) => ({ at: `${kind} ${metadata.name}`, name: metadata.name, spec }));
  const portNames = ({ ports }: { readonly ports: readonly { readonly name: string }[] } = { ports: [] }) =>
    ports.map(({ name }) => name);

  it('selects pods that exist, by deployments, budgets and services', () => {
    for (const { at, spec } of all('Deployment', 'PodDisruptionBudget'))
      expect(selected(spec.selector), at).toHaveLength(1);
    for (const { at, spec } of all('Service')) {
      const [pod, ...others] = selected({ matchLabels: spec.selector });
      expect(others, at).toEqual([]);
      for (const { targetPort } of spec.ports) expect(portNames(pod), at).toContain(targetPort);
    }
  });

  it('scales deployments whose number nobody else sets', () => {
    for (const { at, spec } of all('HorizontalPodAutoscaler', 'ScaledObject')) {
      const scaled = findManifest(manifests, 'Deployment', spec.scaleTargetRef.name);
      // Else each update of the release would set their number back.
      expect(scaled['spec'].replicas, at).toBeUndefined();
    }
  });

  it('has services that Prometheus asks by their ports', () => {
    const services = manifests.filter(({ kind }) => kind === 'Service');
    for (const { at, spec } of all('ServiceMonitor')) {
      const [service, ...others] = services.filter(({ metadata }) => isSelected(metadata.labels, spec.selector));
      expect(others, at).toEqual([]);
      for (const { port } of spec.endpoints) expect(portNames(service?.['spec']), at).toContain(port);
    }
  });

  it('has policies of pods that exist, for ports that they have', () => {
    for (const { at, name, spec } of all('NetworkPolicy')) {
      const chosen = selected(spec.podSelector);
      expect(chosen, at).toHaveLength(name.endsWith('egress') ? 2 : 1);
      for (const { ports } of spec.ingress ?? [])
        for (const { port } of ports) expect(portNames(chosen[0]), at).toContain(port);
    }
  });
});

function never(): never {
  throw new Error('there are no servers');
}

const manifestsOf = (values: object): readonly Manifest[] => {
  const { stdout, stderr } = renderChart(argumentsFor('values', values));
  if (stdout === '') throw new Error(stderr);
  return parseManifests(stdout);
};

describe('the chart', () => {
  it('has the alerts of Prometheus as they stand in alerts.yaml', () => {
    const rule = findManifest(manifestsOf({ monitoring: { alerts: true } }), 'PrometheusRule', 'lectern');
    expect(rule['spec']).toEqual(parse(read('alerts.yaml')));
  });

  it('names everything after the release', () => {
    const { stdout } = renderChart(['-f', 'examples/buckets.yaml'], 'scans');
    const names = parseManifests(stdout).map(({ metadata }) => metadata.name);
    expect(names.filter((name) => !/^scans-lectern(?:-(?:worker|redis|server|egress))?$/.test(name))).toEqual([]);
    expect(stdout).toContain('"address": "redis://scans-lectern-redis:6379"');
  });

  it('restarts pods whose settings or secrets changed', () => {
    const sumOf = (values: object) =>
      findManifest(manifestsOf(values), 'Deployment', 'lectern')['spec'].template.metadata.annotations[
        'checksum/settings'
      ];
    const secrets = { values: { 'events-token': 'a' } };
    expect(sumOf({})).not.toBe(sumOf({ settings: { logLevel: 'info' } }));
    expect(sumOf({ secrets })).not.toBe(sumOf({ secrets: { values: { 'events-token': 'b' } } }));
  });

  it('scales workers by a metric that the server has', () => {
    const { stdout } = renderChart(['-f', 'examples/folders.yaml']);
    const [trigger] = findManifest(parseManifests(stdout), 'ScaledObject', 'lectern-worker')['spec'].triggers;
    const metrics = [...trigger.metadata.query.matchAll(/\(lectern_(\w+)\)/g)].map(([, name]) => name);
    expect(metrics).toEqual(['build_queue_waiting', 'build_queue_building']);
    // Each server tells the length of the same queue.
    expect(trigger.metadata.query).not.toMatch(/sum\(lectern_/);
    const source = readFileSync(new URL('../../src/app/core-metrics.ts', import.meta.url), 'utf8');
    for (const metric of metrics) expect(source).toContain(`name: '${metric}'`);
  });
});

describe('the sizes of caches in the guide', () => {
  const gibibytesOf = (settings: object, name: string): number => {
    const [group = '', member = ''] = name.split('.');
    return (settings as Record<string, Record<string, number>>)[group]?.[member] ?? Number.NaN;
  };
  const rows = [...guide.matchAll(/^\| `(\w+\.\w*axBytes)` .* (\d+) GiB +\| (\d+) GiB +\|$/gm)].map((row) =>
    row.slice(1),
  );
  const defaults = settingsSchema.parse({ library: { folders: ['/scans'] } });
  const { settings: ofChart } = parse(read('chart/values.yaml'));

  it.each(rows)('%s is right', (name = '', ofServer, inChart) => {
    expect(gibibytesOf(defaults, name)).toBe(Number(ofServer) * 2 ** 30);
    expect(gibibytesOf(ofChart, name)).toBe(Number(inChart) * 2 ** 30);
  });

  it('are all', () => {
    expect(rows).toHaveLength(8);
    expect(guide).toContain(`may store ${rows.reduce((sum, [, ofServer]) => sum + Number(ofServer), 0)} GiB`);
    const limits = read('../docs/reference/configuration.md').match(/^\| `\w+\.(?:spoolM|m)axBytes`/gm) ?? [];
    expect(limits.map((limit) => limit.slice(3, -1)).sort()).toEqual(rows.map(([name]) => name).sort());
  });
});

describe('values that are wrong are refused', () => {
  const bucket = { library: { folders: ['s3://scans'] } };
  it.each([
    ['an unknown name', { server: { replicaz: 3 } }, 'server: Additional property replicaz is not allowed'],
    ['an unknown group', { workers: {} }, 'Additional property workers is not allowed'],
    ['an unknown setting', { settings: { cache: { maxBites: 1 } } }, 'settings.cache: Additional property maxBites'],
    ['a text for a number', { settings: { cache: { maxBytes: '10 GB' } } }, 'settings.cache.maxBytes: Invalid type'],
    ['no folder', { settings: { library: { folders: [] } } }, 'settings.library.folders: Array must have at least 1'],
    ['an address with a space', { ingress: { host: 'a b' } }, 'ingress.host: Does not match pattern'],
    ['a port', { worker: { port: 70_000 } }, 'worker.port: Must be less than or equal to 65535'],
    [
      'caches that are larger than their volume',
      { settings: { cache: { maxBytes: 2 ** 36 } } },
      'server.cacheVolume has 44 GiB, of which the caches in settings may take 90194313216 bytes',
    ],
    ['a cache without a limit', { settings: { pdf: { maxBytes: null } } }, 'settings.pdf.maxBytes has to be a number'],
    ['workers without Redis', { worker: { enabled: true } }, 'worker.enabled needs redis.enabled'],
    [
      'workers whose pyramids no server sees',
      { worker: { enabled: true }, redis: { enabled: true } },
      'worker.enabled needs pyramids that servers see',
    ],
    [
      'files that no Secret has',
      { settings: { ...bucket, objectStorage: { secretAccessKeyFile: '/etc/lectern-secrets/key' } } },
      'secrets.existing or secrets.values has to hold them',
    ],
    ['a password of Redis without a Secret', { redis: { enabled: true, passwordKey: 'a' } }, 'secrets.existing or'],
    ['two Secrets', { secrets: { existing: 'a', values: { a: 'b' } } }, 'secrets: existing or values, not both'],
    [
      'a policy that keeps the store out',
      { settings: bucket, networkPolicy: { enabled: true } },
      'networkPolicy.egress.store has to say where it is',
    ],
  ])('%s', (_, values, message) => {
    const { status, stderr } = renderChart(argumentsFor('wrong', values));
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });

  it('also deep inside: no object of the schema takes members that it does not name', () => {
    const loose: string[] = [];
    const look = (schema: unknown, at: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      if ('properties' in schema && !('additionalProperties' in schema && schema.additionalProperties === false))
        loose.push(at);
      for (const [name, member] of Object.entries(schema)) look(member, `${at}/${name}`);
    };
    look(JSON.parse(read('chart/values.schema.json')), '');
    // Keys of OpenID Connect, which are what RFC 7517 says.
    expect(loose).toEqual(['/properties/settings/properties/access/properties/tokens/items/properties/keys/items']);
  });
});
