/** The folder of one run: what servers write and what they serve. It is removed in the end, whatever happens. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function makeRunFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-bench-'));
  // nginx's workers run as another user where it is started by root.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
