// Whether the last build of the server and the reading room is newer than all of its sources.
const { readdirSync, statSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');

/** Its modification time is the time of the last successful build. */
const stamp = path.join(root, 'dist/.built');

const sources = [
  'src',
  'packages',
  'web',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/compress-assets.mjs',
];

/** @param {string} file */
const modifiedMs = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * The latest modification of a file, or of a folder and everything in it; a folder’s own time changes with each deletion.
 *
 * @param {string} location
 */
function newest(location) {
  const entries = statSync(location).isDirectory()
    ? readdirSync(location, { recursive: true, encoding: 'utf8' }).filter((name) => !name.includes('node_modules'))
    : [];
  return Math.max(modifiedMs(location), ...entries.map((name) => modifiedMs(path.join(location, name))));
}

function isBuilt() {
  const built = modifiedMs(stamp);
  return built > 0 && sources.every((source) => newest(path.join(root, source)) < built);
}

module.exports = { isBuilt, stamp };
