// Compares `lectern pdf` with img2pdf on the same JPEG scans, and measures the memory of documents of more and more pages:
//   node bench/pdf.mjs [--scans 500]
import { spawn } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';

const { values } = parseArgs({ options: { scans: { type: 'string', default: '500' } } });
const scans = Number(values.scans);
const folder = mkdtempSync(path.join(tmpdir(), 'bench-pdf-'));
const lectern = fileURLToPath(new URL('../bin/lectern.cjs', import.meta.url));

/** A scan of 1700 x 2400 pixels with as much detail as paper has, of about 1 MB. */
async function makeScan(file, seed) {
  const { data } = await sharp({
    create: { width: 1700, height: 2400, channels: 3, noise: { type: 'gaussian', mean: 200, sigma: 12 + (seed % 5) } },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  await sharp(data, { raw: { width: 1700, height: 2400, channels: 3 } })
    .withMetadata({ density: 300 })
    .jpeg({ quality: 75 })
    .toFile(file);
}

/** A folder with `count` scans, of which every 20 are one file under several names. */
async function makeFolder(name, count) {
  const own = path.join(folder, name, 'book');
  mkdirSync(own, { recursive: true });
  const originals = Math.min(20, count);
  for (let index = 0; index < count; index++) {
    const file = path.join(own, `p${String(index).padStart(5, '0')}.jpg`);
    if (index < originals) await makeScan(file, index);
    else linkSync(path.join(own, `p${String(index % originals).padStart(5, '0')}.jpg`), file);
  }
  return path.join(folder, name);
}

/** Runs a program; resolves to its time, its processor time and its largest memory. */
function run(program, parameters) {
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    const child = spawn(program, parameters, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache') },
    });
    const seen = { cpuS: 0, peakMiB: 0 };
    let errors = '';
    child.stderr.on('data', (text) => {
      errors += text;
    });
    const poll = setInterval(() => {
      try {
        const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
        seen.cpuS = (Number(fields[11]) + Number(fields[12])) / 100;
        const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
        if (peak !== null) seen.peakMiB = Math.round(Number(peak[1]) / 1024);
      } catch {
        // It has ended.
      }
    }, 20);
    child.on('exit', (code) => {
      clearInterval(poll);
      if (code !== 0) return reject(new Error(`${program} ends with ${code}: ${errors}`));
      resolve({ seconds: (performance.now() - startMs) / 1000, ...seen });
    });
  });
}

const text = ({ seconds, cpuS, peakMiB }) =>
  `${seconds.toFixed(2)} s, processor ${cpuS.toFixed(2)} s, memory ${peakMiB} MiB`;

try {
  const library = await makeFolder('compared', scans);
  const files = readdirSync(path.join(library, 'book')).map((name) => path.join(library, 'book', name));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  console.log(`${scans} JPEG scans, ${Math.round(bytes / 2 ** 20)} MiB`);
  const results = { ours: [], theirs: [] };
  for (let round = 0; round < 3; round++) {
    results.theirs.push(await run('img2pdf', [...files, '-o', path.join(folder, 'theirs.pdf')]));
    results.ours.push(
      await run(process.execPath, [lectern, 'pdf', 'book', library, '--output', path.join(folder, 'ours.pdf')]),
    );
    console.log(`img2pdf      ${text(results.theirs.at(-1))}`);
    console.log(`lectern pdf  ${text(results.ours.at(-1))}`);
  }
  // What both need for one page is their start, which a server pays once.
  const one = [lectern, 'pdf', 'book', library, '--pages', '1', '--output', path.join(folder, 'one.pdf')];
  const started = { ours: [], theirs: [] };
  for (let round = 0; round < 3; round++) {
    started.theirs.push(await run('img2pdf', [files[0], '-o', path.join(folder, 'theirs.pdf')]));
    started.ours.push(await run(process.execPath, one));
  }
  const best = (runs, member) => Math.min(...runs.map((result) => result[member]));
  for (const member of ['seconds', 'cpuS']) {
    const [theirs, ours] = [best(results.theirs, member), best(results.ours, member)];
    const [theirStart, ourStart] = [best(started.theirs, member), best(started.ours, member)];
    const ofPages = ((theirs - theirStart) / (ours - ourStart)).toFixed(2);
    console.log(
      `speed by ${member}: ${ofPages} of img2pdf’s for the pages, ${(theirs / ours).toFixed(2)} with the start`,
    );
  }
  for (const pages of [250, 1000, 2000]) {
    const many = await makeFolder(`pages-${pages}`, pages);
    const output = path.join(folder, 'many.pdf');
    const result = await run(process.execPath, [lectern, 'pdf', 'book', many, '--output', output]);
    console.log(`${pages} pages, ${Math.round(statSync(output).size / 2 ** 20)} MiB: ${text(result)}`);
    rmSync(output);
  }
} finally {
  rmSync(folder, { recursive: true });
}
