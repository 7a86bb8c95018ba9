// Runs the tests in test/viewers, with other viewers as they are published: `npm run test:viewers`, with vitest’s own arguments behind
// `--`. What is installed for that goes into a folder beside the temporary files, since it is large and no part of the project.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Universal Viewer 4.4 asks for pictures without cookies, so that closed images need the version before. */
const packages = {
  mirador: '4.0.0',
  universalviewer: '4.4.0',
  'universalviewer-4.3': 'npm:universalviewer@4.3.0',
  openseadragon: '6.1.1',
  '@annotorious/openseadragon': '3.8.10',
};

/** The client of IIIF Authorization Flow 2.0, which is in no registry. */
const client = { address: 'https://github.com/tomcrane/iiif-auth-client.git', commit: '1239bb9' };

const root = fileURLToPath(new URL('..', import.meta.url));

const succeeds = (program, args, options) => spawnSync(program, args, { stdio: 'inherit', ...options }).status === 0;

/** Makes a folder once; a run that was stopped leaves none that is taken for whole. */
function madeOnce(name, make) {
  const folder = path.join(tmpdir(), name);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished);
  if (make(unfinished)) renameSync(unfinished, folder);
  else rmSync(unfinished, { recursive: true, force: true });
  return existsSync(folder) ? folder : undefined;
}

function installViewers() {
  const text = JSON.stringify({ private: true, dependencies: packages });
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return madeOnce(`lectern-viewers-${mark}`, (cwd) => {
    writeFileSync(path.join(cwd, 'package.json'), text);
    return succeeds('npm', ['install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd });
  });
}

const fetchClient = () =>
  madeOnce(`lectern-auth-client-${client.commit}`, (folder) => {
    const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
    const git = (...args) => succeeds('git', ['-C', folder, ...args], { env, stdio: 'ignore', timeout: 120_000 });
    return git('clone', '--quiet', client.address, '.') && git('checkout', '--quiet', client.commit);
  });

const { LECTERN_TEST_VIEWERS = installViewers(), LECTERN_TEST_AUTH_CLIENT = fetchClient() } = process.env;
if (LECTERN_TEST_VIEWERS === undefined) {
  console.error(
    'The viewers can’t be installed; LECTERN_TEST_VIEWERS can name a folder that has them in node_modules.',
  );
  process.exit(1);
}
if (LECTERN_TEST_AUTH_CLIENT === undefined)
  console.error(
    `${client.address} can’t be fetched, so its tests fail; LECTERN_TEST_AUTH_CLIENT can name a checkout of it.`,
  );

const env = {
  ...process.env,
  LECTERN_TEST_VIEWERS,
  ...(LECTERN_TEST_AUTH_CLIENT !== undefined && { LECTERN_TEST_AUTH_CLIENT }),
};
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const passed = succeeds(process.execPath, [vitest, 'run', '--project', 'viewers', ...process.argv.slice(2)], {
  cwd: root,
  env,
});
process.exit(passed ? 0 : 1);
