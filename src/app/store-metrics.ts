/** The metrics of object stores, and of the copies of their files. */
import type { MetricRow } from '../core/http/request-metrics.ts';
import { type OperationCounts, requestBounds, type StoreActivity } from '../core/storage/store-activity.ts';
import type { CircuitState, CopyStats } from '../core/storage/store-observer.ts';

type Rows = readonly MetricRow[];

const circuitValues: Readonly<Record<CircuitState, number>> = { closed: 0, 'half-open': 0.5, open: 1 };

function requestRows(activity: StoreActivity): Rows {
  const labels = ['bucket', 'operation'];
  const byOperation = (value: (counts: OperationCounts) => number) => () =>
    activity
      .operations()
      .map((counts) => [value(counts), { bucket: counts.bucket, operation: counts.operation }] as const);
  return [
    {
      name: 'store_requests_total',
      help: 'Requests to object stores, retries included.',
      labels,
      read: byOperation(({ requests }) => requests),
    },
    {
      name: 'store_retries_total',
      help: 'Requests to object stores that repeat one that failed.',
      labels,
      read: byOperation(({ retries }) => retries),
    },
    {
      name: 'store_bytes_total',
      help: 'Bytes of bodies, read from object stores (get) or written to them (put, upload).',
      labels,
      read: byOperation(({ bytes }) => bytes),
    },
    {
      name: 'store_failures_total',
      help: 'Requests to object stores that failed. That an object is missing or changed is an answer.',
      labels: [...labels, 'reason'],
      read: () =>
        activity
          .operations()
          .flatMap(({ bucket, operation, failures }) =>
            [...failures].map(([reason, count]) => [count, { bucket, operation, reason }] as const),
          ),
    },
    {
      name: 'store_request_seconds',
      help: 'Time of requests to object stores, until the last byte of their bodies.',
      durations: () =>
        activity.operations().map(({ bucket, operation, durations: counts, sumSeconds }) => ({
          ...{ labels: { bucket, operation }, bounds: requestBounds, counts, sumSeconds },
        })),
    },
  ];
}

const bucketRows = (activity: StoreActivity): Rows => [
  {
    name: 'store_circuit_open',
    help: 'Whether nothing of a kind (list, read, write) is asked of a bucket for a moment, since it failed: 1, 0.5 while it is tried, 0 when it answers again.',
    labels: ['bucket', 'kind'],
    read: () =>
      activity
        .buckets()
        .flatMap(({ bucket, circuits }) =>
          [...circuits].map(([kind, state]) => [circuitValues[state], { bucket, kind }] as const),
        ),
  },
  {
    name: 'store_refused_total',
    help: 'Requests that were not sent to a bucket, since it failed a moment before.',
    labels: ['bucket'],
    read: () => activity.buckets().map(({ bucket, refused }) => [refused, { bucket }]),
  },
  {
    name: 'store_fallbacks_total',
    help: 'Requests that the fallback endpoint of a store answered, since the first one failed.',
    labels: ['bucket'],
    read: () => activity.buckets().map(({ bucket, fallbacks }) => [fallbacks, { bucket }]),
  },
  {
    name: 'store_fallback',
    help: 'Whether a bucket fails and the fallback endpoint answers for it.',
    labels: ['bucket'],
    read: () => activity.buckets().map(({ bucket, isFallenBack }) => [Number(isFallenBack), { bucket }]),
  },
];

function copyRows(activity: StoreActivity): Rows {
  const read = (value: (stats: CopyStats) => number) => () => {
    const stats = activity.copyStats();
    return stats === undefined ? [] : [[value(stats)] as const];
  };
  return [
    {
      name: 'copies',
      help: 'Files of object stores of which there is a local copy.',
      read: read(({ files }) => files),
    },
    { name: 'copies_bytes', help: 'Their bytes.', read: read(({ bytes }) => bytes) },
    { name: 'copies_max_bytes', help: 'The bound of these bytes.', read: read(({ maxBytes }) => maxBytes) },
    {
      name: 'copies_evictions_total',
      help: 'Copies that made room for others.',
      read: read(({ evictions }) => evictions),
    },
    {
      name: 'copies_faults_total',
      help: 'Copies that could not be written: the disk was full, or failed in another way.',
      labels: ['reason'],
      read: () => {
        const stats = activity.copyStats();
        return stats === undefined ? [] : Object.entries(stats.faults).map(([reason, count]) => [count, { reason }]);
      },
    },
  ];
}

/** Without object stores there are no values. */
export const storeRows = (activity: StoreActivity): Rows => [
  ...requestRows(activity),
  ...bucketRows(activity),
  ...copyRows(activity),
];
