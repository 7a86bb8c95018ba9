/** Switches traces on where the settings or the variables of OpenTelemetry name a collector. */
import type { Logger } from 'pino';
import { about } from '../core/http/about.ts';
import { FaultReporter } from '../core/storage/fault-reporter.ts';
import { setTracer } from '../core/tracing/tracing.ts';
import type { Settings } from './settings/settings.ts';

/** Spans of the last moments are sent when a process ends, but a collector that is gone does not hold it up, in ms. */
const closeWithinMs = 1000;

/** Whether the variables name a collector, and don’t switch it off (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). */
const isNamedBy = (variables: NodeJS.ProcessEnv): boolean =>
  Boolean(variables['OTEL_EXPORTER_OTLP_ENDPOINT'] || variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);

const isSwitchedOff = (variables: NodeJS.ProcessEnv): boolean =>
  variables['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || variables['OTEL_TRACES_EXPORTER'] === 'none';

/** Resolves to what ends traces; nothing is loaded where there are none. `part` is `lectern` or `lectern-worker`. */
export async function openTracing(
  { tracing: { endpoint, ratio } }: Pick<Settings, 'tracing'>,
  part: string,
  logger: Pick<Logger, 'warn'>,
  variables: NodeJS.ProcessEnv = process.env,
): Promise<() => Promise<void>> {
  if ((endpoint === undefined && !isNamedBy(variables)) || isSwitchedOff(variables)) return async () => undefined;
  const { openTelemetry } = await import('../core/tracing/open-telemetry.ts');
  const faults = new FaultReporter<'sending'>((message, cause) => logger.warn({ reason: cause }, message));
  const { tracer, close } = openTelemetry({
    endpoint,
    ratio: variables['OTEL_TRACES_SAMPLER'] === undefined ? ratio : undefined,
    service: { name: variables['OTEL_SERVICE_NAME'] ?? part, version: about.version },
    onFault: (reason) => void faults.reportEvent('sending', 'traces can’t be sent', reason),
  });
  setTracer(tracer);
  return async () => {
    setTracer(undefined);
    await Promise.race([close(), new Promise((resolve) => setTimeout(resolve, closeWithinMs).unref())]);
  };
}
