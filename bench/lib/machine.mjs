/** What the figures were measured on; nothing that names the machine. */
import { availableParallelism, cpus, loadavg } from 'node:os';
import sharp from 'sharp';
import { threadPoolSize } from './processes.mjs';

/** Lines for the report's head. */
export function describeMachine() {
  const model = cpus()[0]?.model.trim() || 'unknown processor';
  return [
    `${model}, ${availableParallelism()} cores; load average before the run ${loadavg()[0].toFixed(1)}`,
    `Node ${process.versions.node}, sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}, ${threadPoolSize} libuv threads`,
  ];
}
