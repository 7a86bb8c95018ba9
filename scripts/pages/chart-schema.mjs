// The schema of the chart's values: what Helm refuses before anything is installed. The settings in it are those of the server.
import { z } from 'zod';
import { settingsSchema } from '../../dist/app/settings/settings.js';

const name = z.string().regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);
const nameOrNone = z.union([z.literal(''), name]);
const absolutePath = z.string().regex(/^\/[^\s]*$/);
const port = z.int().min(1).max(65_535);
const count = z.int().min(0);
const texts = z.record(z.string(), z.string());
/** What Kubernetes itself checks. */
const asInKubernetes = z.record(z.string(), z.unknown());
const listAsInKubernetes = z.array(asInKubernetes);

const volume = z.strictObject({
  name: name.describe('of the volume in the pod'),
  claimName: name,
  mountPath: absolutePath,
  readOnly: z.boolean().optional(),
});

const gibibytes = z.int().min(1);
const resources = z.strictObject({ requests: asInKubernetes.optional(), limits: asInKubernetes.optional() });

const pods = {
  cacheVolume: z.strictObject({ gibibytes, storageClass: nameOrNone }),
  tmpVolume: z.strictObject({ gibibytes }),
  resources,
  podAnnotations: texts,
  nodeSelector: texts,
  tolerations: listAsInKubernetes,
  affinity: asInKubernetes,
};

const peers = z
  .array(
    z.strictObject({
      namespaceSelector: asInKubernetes.optional(),
      podSelector: asInKubernetes.optional(),
      ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).optional() }).optional(),
    }),
  )
  .min(1);

const values = z.strictObject({
  // Helm gives it to a chart in a chart.
  global: z.unknown().optional(),
  image: z.strictObject({
    repository: z.string().min(1),
    tag: z.string(),
    pullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']),
    pullSecrets: z.array(name),
  }),
  settings: settingsSchema,
  volumes: z.array(volume),
  secrets: z.strictObject({
    existing: nameOrNone,
    values: z.record(z.string().regex(/^[-._a-zA-Z0-9]+$/), z.string()),
  }),
  serviceAccount: z.strictObject({ name: nameOrNone }),
  env: listAsInKubernetes,
  server: z.strictObject({
    replicas: count,
    autoscaling: z.strictObject({
      enabled: z.boolean(),
      minReplicas: z.int().min(1),
      maxReplicas: z.int().min(1),
      cpuPercent: z.int().min(1).max(100),
    }),
    preStopSeconds: count,
    ...pods,
  }),
  worker: z.strictObject({
    enabled: z.boolean(),
    replicas: count,
    jobs: z.int().min(1),
    port,
    keda: z.strictObject({
      enabled: z.boolean(),
      prometheus: z.string().regex(/^https?:\/\//),
      minReplicas: count,
      maxReplicas: z.int().min(1),
      waiting: z.int().min(1),
    }),
    ...pods,
  }),
  redis: z.strictObject({ enabled: z.boolean(), image: z.string().min(1), passwordKey: z.string(), resources }),
  ingress: z.strictObject({
    enabled: z.boolean(),
    className: name,
    host: name,
    tlsSecret: nameOrNone,
    annotations: texts,
  }),
  monitoring: z.strictObject({
    serviceMonitors: z.boolean(),
    alerts: z.boolean(),
    interval: z.string().regex(/^\d+(s|m)$/),
    labels: texts,
  }),
  networkPolicy: z.strictObject({
    enabled: z.boolean(),
    readers: peers,
    prometheus: peers,
    dns: peers,
    egress: z.record(z.string(), z.strictObject({ to: peers, ports: z.array(port).min(1) })),
  }),
});

/** The same pattern for Go, by which Helm matches; undefined where it has none, as without look-ahead: the server then refuses alone. */
const patternInGo = (pattern) =>
  pattern.includes('(?!')
    ? undefined
    : pattern
        .replaceAll('\\/', '/')
        .replaceAll('\\0', '\\x00')
        .replace(/\\u([0-9A-F]{4})/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));

/** Of each member of the schema: defaults are in values.yaml, and some of the settings' depend on the machine. */
function memberForHelm(key, value) {
  if (key === 'default') return undefined;
  return key === 'pattern' && typeof value === 'string' ? patternInGo(value) : value;
}

/** Helm knows no later draft than 7. */
export function chartSchemaFile() {
  const { $schema, ...schema } = z.toJSONSchema(values, { io: 'input', unrepresentable: 'any', target: 'draft-7' });
  return `${JSON.stringify({ $schema, title: 'Values of the chart of Lectern', ...schema }, memberForHelm, 2)}\n`;
}
