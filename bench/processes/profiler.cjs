/**
 * Preloaded into Lectern’s processes from the run’s folder: SIGUSR2 starts a CPU profile, a second one stops it and writes it
 * there. So the profile contains the load but not the start.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const path = require('node:path');

const intervalUs = 200;
let session;

function begin() {
  session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: intervalUs });
  session.post('Profiler.start');
}

function end() {
  session.post('Profiler.stop', (error, { profile } = {}) => {
    const file = path.join(__dirname, `${process.pid}.cpuprofile`);
    writeFileSync(`${file}.part`, error ? '' : JSON.stringify(profile));
    renameSync(`${file}.part`, file);
    session.disconnect();
    session = undefined;
  });
}

process.on('SIGUSR2', () => (session === undefined ? begin() : end()));
