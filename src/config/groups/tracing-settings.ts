/** Settings of traces. */
import { z } from 'zod';

export const tracingSettings = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
    .optional()
    .describe(
      'the collector that traces are sent to by OTLP over HTTP, such as http://collector.example:4318; by default that of OTEL_EXPORTER_OTLP_ENDPOINT. Without both there are no traces',
    ),
  ratio: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe(
      'the part of the requests that is traced; where a trusted proxy sent a traceparent, that decides. OTEL_TRACES_SAMPLER replaces both',
    ),
});
