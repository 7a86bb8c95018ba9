// Runs the command as `npm start` does: from a fresh build, which is made first where a source is newer. One process checks and
// runs, since npm takes 0.1 s for a script before another.
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { isBuilt } = require('./is-built.cjs');

if (!isBuilt()) {
  const build = [path.join(__dirname, 'build.mjs'), '--if-needed'];
  const { status } = spawnSync(process.execPath, build, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
require('../bin/lectern.cjs');
