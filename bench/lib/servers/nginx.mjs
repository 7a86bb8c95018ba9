/** Starts nginx: as a static server of Lectern’s response bodies, the upper limit, and as the HTTP server of iipsrv. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BenchFailure } from '../failure.mjs';
import { fetchResponse } from '../http-client.mjs';
import { freePort, startProgram, stop } from '../processes.mjs';

const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Debian’s configuration, without a log, and with connections that are never closed by the server. */
const configuration = ({ folder, statics, staticPort, iipsrvs }) => `
worker_processes 2;
daemon off;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 512; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  default_type application/octet-stream;
  types { image/jpeg jpg; application/json json; }
  ${temporaryPaths.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server { listen 127.0.0.1:${staticPort}; root ${statics}; }
  ${iipsrvs.map(serverOfIipsrv).join('')}
}
`;

const serverOfIipsrv = ({ httpPort, fcgiPorts }, index) => `
  upstream iipsrv${index} { zone iipsrv${index} 64k; least_conn; ${fcgiPorts.map((port) => `server 127.0.0.1:${port};`).join(' ')} }
  server {
    listen 127.0.0.1:${httpPort};
    location / {
      fastcgi_pass iipsrv${index};
      fastcgi_buffers 64 16k;
      ${['QUERY_STRING', 'REQUEST_METHOD', 'CONTENT_TYPE', 'CONTENT_LENGTH', 'REQUEST_URI', 'SERVER_PROTOCOL']
        .map((name) => `fastcgi_param ${name} $${name.toLowerCase()};`)
        .join(' ')}
      fastcgi_param HTTP_HOST $http_host;
      fastcgi_param SERVER_NAME $server_name;
    }
  }`;

async function waitUntilResponding(port, child) {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (child.exitCode !== null) return false;
    const answer = await fetchResponse(port, '/').catch(() => undefined);
    if (answer !== undefined) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

/** Starts nginx in a folder of its own; `store` stores a body and resolves to its path on the server. */
export async function startNginx({ program, runFolder, iipsrvs = [] }) {
  const folder = path.join(runFolder, 'nginx');
  const statics = path.join(folder, 'static');
  await mkdir(statics, { recursive: true });
  const staticPort = await freePort();
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, configuration({ folder, statics, staticPort, iipsrvs }));
  let output = '';
  const child = startProgram(program, ['-p', folder, '-e', 'stderr', '-c', file], {
    onText: (chunk) => {
      output = (output + chunk).slice(-2000);
    },
  });
  if (!(await waitUntilResponding(staticPort, child))) throw new BenchFailure(`nginx did not start.\n${output}`.trim());
  let count = 0;
  const store = async (body, extension) => {
    count += 1;
    await writeFile(path.join(statics, `${count}.${extension}`), body);
    return `/${count}.${extension}`;
  };
  return {
    name: 'nginx',
    port: staticPort,
    pids: [child.pid],
    pathOf: ({ nginx }) => nginx,
    store,
    close: () => stop(child),
  };
}
