/** The audit: who saw what and when, as lines of JSON. */
import type { Feature } from '../../core/feature.ts';
import { clientAddressOf } from '../../core/http/origin.ts';
import type { MetricRow } from '../../core/http/request-metrics.ts';
import { entryOf } from './audit-entries.ts';
import { type AuditSettings, auditSettings } from './audit-settings.ts';
import { openRecorder, type Recorder } from './recorder.ts';

const metricRowsOf = (recorder: Recorder | undefined): readonly MetricRow[] => [
  {
    name: 'audit_lines_total',
    help: 'Lines that the audit has written; 0 where there is none.',
    read: () => [[recorder?.counts.written ?? 0]],
  },
  {
    name: 'audit_lost_lines_total',
    help: 'Lines of the audit that its disk did not take.',
    read: () => [[recorder?.counts.lost ?? 0]],
  },
];

export const feature: Feature<AuditSettings> = {
  name: 'audit',
  settings: auditSettings,
  open({ settings: { audit }, logger }) {
    const recorder = audit && openRecorder(audit, logger);
    const metricRows = metricRowsOf(recorder);
    if (recorder === undefined) return { metricRows, add: () => ({}) };
    return {
      metricRows,
      add: ({ callers, trusted }) => ({
        hooksSee: () => true,
        addHooks: (server) =>
          server.addHook('onRequest', async (request, reply) => {
            const client = clientAddressOf(request.raw, trusted);
            // Whoever breaks off before the last byte has seen all others, and no hook of Fastify is called for it.
            reply.raw.once('close', () => {
              const caller = callers.known(request.raw);
              const entry = entryOf(request, reply, { caller, client, atMs: Date.now() });
              if (entry !== undefined) recorder.record(entry);
            });
          }),
      }),
      start: () => recorder.start(),
      close: () => recorder.close(),
    };
  },
};
