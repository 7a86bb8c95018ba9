/** A span for each request, which goes on with the trace that the request names. */
import { hasTracer, startSpan } from '../tracing/tracing.ts';
import type { Handler } from './fast-path/fast-path.ts';
import type { TrustedProxies } from './origin.ts';
import { requestIdOf } from './request-context.ts';
import { abandonedStatus, kinds } from './request-metrics.ts';

/** Puts spans around a handler. Whose `traceparent` is not that of a trusted proxy does not decide what is recorded. */
export const withTraces =
  (trusted: () => TrustedProxies, next: Handler): Handler =>
  (request, response) => {
    if (!hasTracer()) return next(request, response);
    const { method = '', url = '', headers } = request;
    const sent = typeof headers['traceparent'] === 'string' ? headers['traceparent'] : '';
    const span = startSpan({
      name: method,
      kind: 'server',
      attributes: {
        'http.request.method': method,
        // Queries may have tokens.
        'url.path': url.replace(/\?.*$/s, ''),
      },
      parent: { traceparent: sent, isTrusted: sent === '' || trusted()(request.socket.remoteAddress) },
    });
    if (span === undefined) return next(request, response);
    request.kindOf ??= kinds.other;
    response.once('close', () => {
      const kind = request.kindOf?.() ?? 'other';
      const status = response.writableFinished ? response.statusCode : abandonedStatus;
      span.rename(`${method} ${kind}`);
      const facts = { 'http.response.status_code': status, 'lectern.kind': kind };
      const id = requestIdOf(request, trusted());
      span.end({ ...facts, 'lectern.request_id': id }, status >= 500 ? String(status) : undefined);
    });
    span.run(() => next(request, response));
  };
