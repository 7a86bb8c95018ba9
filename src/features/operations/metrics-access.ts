/** Who may see the metrics: the addresses of the setting, whoever is asked for by a proxy. */
import type { IncomingMessage } from 'node:http';
import { isDirectFromLoopback, isLoopback } from '../../core/http/loopback.ts';
import { clientAddressOf, isForwarded, type TrustedProxies, trustProxies } from '../../core/http/origin.ts';

export interface MetricsAccess {
  readonly isOn: boolean;
  allows(request: IncomingMessage): boolean;
}

/**
 * Allows the addresses and CIDR ranges. A proxy on this machine that is not trusted would make everyone local, so that a
 * request from loopback counts only where it was not forwarded.
 */
export function createMetricsAccess(ranges: readonly string[], trusted: TrustedProxies): MetricsAccess {
  const isListed = trustProxies(ranges);
  return {
    isOn: ranges.length > 0,
    allows(request) {
      const peer = request.socket.remoteAddress ?? '';
      if (trusted(peer) && isForwarded(request)) return isListed(clientAddressOf(request, trusted));
      if (isLoopback(peer)) return isListed(peer) && isDirectFromLoopback(request);
      return isListed(peer) && !isForwarded(request);
    },
  };
}
