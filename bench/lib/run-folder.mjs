/** The temporary folder of one run, for what servers write and serve; it is removed when the process exits. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function makeRunFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-bench-'));
  // nginx's workers run as another user if root starts it.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
