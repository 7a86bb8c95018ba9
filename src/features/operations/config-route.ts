/** `GET {base_url}/server/dlConfig.jsp`: the running configuration, for those who run the server. */
import type { FastifyPluginCallback } from 'fastify';
import { addRoutes } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { nothingHere, sendTextError } from '../../core/http/error-responses.ts';
import { type Page, page, sendPage } from '../../core/http/html.ts';
import { escapeHtml } from '../../core/parsing/markup.ts';

export interface ConfigParts {
  readonly callers: Callers;
  /** The running configuration, without keys. */
  readonly overview: () => Promise<readonly OverviewTable[]>;
}

/** Below the context path. */
export const configPath = '/server/dlConfig.jsp';

/** Adds the route, which answers 404 to everyone else. */
export const configRoute: FastifyPluginCallback<ConfigParts> = (server, { callers, overview }, done) => {
  addRoutes(server, [configPath], async (request, reply) => {
    // Scripts of other origins must not read the configuration.
    reply.removeHeader('access-control-allow-origin');
    if (!(await callers.mayConfigure(request.raw))) return sendTextError(nothingHere(), request, reply);
    return sendPage(configPage(await overview()), 'no-store', request, reply);
  });
  done();
};

export interface OverviewRow {
  readonly name: string;
  readonly value: string;
  readonly meaning?: string;
  readonly isDefault?: boolean;
}

export interface OverviewTable {
  readonly heading: string;
  readonly rows: readonly OverviewRow[];
}

const style = `
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .5rem 1.5rem .5rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
th { white-space: nowrap; font: .9rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
td.meaning { color: var(--soft); font-size: .95rem; width: 40%; }
tr.set th, tr.set td code { font-weight: 700; color: var(--accent); }
td code { white-space: pre-wrap; }
@media (max-width: 40rem) { td.meaning { display: none; } }
`;

function row({ name, value, meaning = '', isDefault = true }: OverviewRow): string {
  const shown = value === '' ? '<span>–</span>' : `<code>${escapeHtml(value)}</code>`;
  return `<tr${isDefault ? '' : ' class="set"'}><th scope="row">${escapeHtml(name)}</th><td>${shown}</td><td class="meaning">${escapeHtml(meaning)}</td></tr>`;
}

const table = ({ heading, rows }: OverviewTable): string =>
  `<h2>${escapeHtml(heading)}</h2>\n<table>\n${rows.map(row).join('\n')}\n</table>`;

export function configPage(tables: readonly OverviewTable[]): Page {
  const body = `<h1>Configuration</h1>
<p class="lead">How this server runs. Settings that differ from their defaults stand out; keys are left out.</p>
${tables.map(table).join('\n')}`;
  return page({ title: 'Lectern: configuration', body, style });
}
