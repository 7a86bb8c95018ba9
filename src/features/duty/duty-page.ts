/** The page for the person on duty: who costs what, and what to hold. It asks for itself again every two seconds. */
import { type Page, page } from '../../core/http/html.ts';
import type { PageLanguage } from '../../core/http/words.ts';
import { escapeHtml } from '../../core/parsing/markup.ts';
import { amounts } from './amounts.ts';
import { dutyScript, dutyStyle } from './duty-page-parts.ts';
import { budgetIn, type DutyWord, nameIn, wordIn } from './duty-words.ts';
import { type CostRow, type DutyReport, isUsed } from './report.ts';
import { type Measure, measures } from './tallies.ts';
import { windowSeconds } from './windows.ts';

interface Shown {
  readonly report: DutyReport;
  readonly language: PageLanguage;
}

/** A cell with a number. */
interface Column {
  readonly word: DutyWord;
  /** What the column sorts by; undefined where the table has another order. */
  readonly by?: Measure;
  readonly text: (row: CostRow) => string;
}

const word = ({ language }: Shown, key: DutyWord, values?: Parameters<typeof wordIn>[2]): string =>
  escapeHtml(wordIn(language, key, values));

const addressFor = ({ report }: Shown, changed: Partial<Pick<DutyReport, 'over' | 'by'>>): string => {
  const { over, by } = { ...report, ...changed };
  return escapeHtml(`?over=${over}&by=${by}`);
};

/** A form with one button, which holds or releases a network. */
function changeForm(shown: Shown, change: 'hold' | 'release', network: string, place: string): string {
  const label = word(shown, change);
  const shownNetwork = escapeHtml(network);
  return `<form method="post">
<input type="hidden" name="network" value="${shownNetwork}">
<button name="do" value="${change}" id="${place}-${shownNetwork}" aria-label="${label}: ${shownNetwork}">${label}</button></form>`;
}

function columnsOf(shown: Shown): Readonly<Record<Measure | 'longest', Column>> {
  const { count, time, bytes } = amounts(shown.language);
  return {
    ms: { word: 'ms', by: 'ms', text: ({ ms }) => time(ms) },
    requests: { word: 'requests', by: 'requests', text: ({ requests }) => count(requests) },
    bytes: { word: 'bytes', by: 'bytes', text: (row) => bytes(row.bytes) },
    refused: { word: 'refused', by: 'refused', text: ({ refused }) => count(refused) },
    longest: { word: 'longest', text: ({ longestMs }) => time(longestMs) },
  };
}

function headCell(shown: Shown, { word: key, by }: Column, isSorted: boolean): string {
  if (by === undefined || !isSorted) return `<th scope="col" class="${key}">${word(shown, key)}</th>`;
  const isCurrent = by === shown.report.by;
  const link = `<a href="${addressFor(shown, { by })}">${word(shown, key)}</a>`;
  return `<th scope="col" class="${key}"${isCurrent ? ' aria-sort="descending"' : ''}>${link}</th>`;
}

interface Table {
  readonly heading: DutyWord;
  readonly rows: readonly CostRow[];
  readonly columns: readonly Column[];
  /** Whether the heads of columns sort. */
  readonly isSorted?: boolean;
  readonly nameOf?: (row: CostRow) => string;
  /** A button behind each row. */
  readonly change?: ((row: CostRow) => string) | undefined;
}

const plainName = ({ name, agent }: CostRow): string =>
  escapeHtml(name) + (agent === undefined ? '' : `<small>${escapeHtml(agent)}</small>`);

function tableOf(
  shown: Shown,
  { heading, rows, columns, isSorted = false, nameOf = plainName, change }: Table,
): string {
  const head = `<h2 id="${heading}">${word(shown, heading)}</h2>`;
  if (rows.length === 0) return `<section>${head}\n<p class="none">${word(shown, 'nothing')}</p></section>`;
  const hasShare = columns.some(({ word: key }) => key === 'ms');
  const heads = columns.map((column) => headCell(shown, column, isSorted)).join('');
  const lines = rows.map((row) => {
    const cells = columns.map((column) => `<td class="${column.word}">${escapeHtml(column.text(row))}</td>`).join('');
    const share = hasShare
      ? `<td class="share"><meter min="0" max="1" value="${row.share}" aria-hidden="true"></meter></td>`
      : '';
    const button = change === undefined ? '' : `<td class="do">${change(row)}</td>`;
    return `<tr><th scope="row">${nameOf(row)}</th>${share}${cells}${button}</tr>`;
  });
  const last = change === undefined ? '' : '<td></td>';
  return `<section>${head}
<table aria-labelledby="${heading}"${change === undefined ? '' : ' class="buttons"'}>
<thead><tr><th scope="col" class="name">${word(shown, 'name')}</th>${hasShare ? '<td></td>' : ''}${heads}${last}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody></table></section>`;
}

function costTables(shown: Shown): string {
  const { report, language } = shown;
  const { ms, requests, bytes, refused, longest } = columnsOf(shown);
  const columns = [ms, requests, bytes, refused];
  const held = new Set(report.holds?.map(({ network }) => network));
  const change =
    report.holds &&
    (({ name }: CostRow) =>
      /\/(?:24|48)$/.test(name) ? changeForm(shown, held.has(name) ? 'release' : 'hold', name, 'row') : '');
  const translated = ({ name }: CostRow): string =>
    escapeHtml(
      name
        .split(' ')
        .map((one) => nameIn(language, one))
        .join(' · '),
    );
  const fileName = ({ name }: CostRow): string => `<code>${escapeHtml(name)}</code>`;
  const tables: readonly Table[] = [
    { heading: 'networks', rows: report.networks, columns, isSorted: true, change },
    ...(report.systems.length === 0
      ? []
      : [{ heading: 'systems', rows: report.systems, columns, isSorted: true } as const]),
    { heading: 'agents', rows: report.agents, columns, isSorted: true },
    { heading: 'kinds', rows: report.kinds, columns, isSorted: true, nameOf: translated },
    { heading: 'refusals', rows: report.refusals, columns: [requests], nameOf: translated },
    { heading: 'files', rows: report.files, columns: [ms, requests, longest], nameOf: fileName },
  ];
  return tables.map((table) => tableOf(shown, table)).join('\n');
}

function windows(shown: Shown): string {
  const links = windowSeconds.map((over) => {
    const current = over === shown.report.over ? ' aria-current="page"' : '';
    return `<a href="${addressFor(shown, { over })}"${current}>${word(shown, `over-${over}`)}</a>`;
  });
  return `<nav aria-label="${word(shown, 'window')}">${links.join('')}</nav>`;
}

function totals(shown: Shown): string {
  const { total } = shown.report;
  const { ms, requests, bytes, refused } = columnsOf(shown);
  const figures = [requests, ms, bytes, refused].map(
    (column) => `<div><dt>${word(shown, column.word)}</dt><dd>${escapeHtml(column.text(total))}</dd></div>`,
  );
  return `<dl class="figures" aria-label="${word(shown, 'all-requests')}">${figures.join('')}</dl>`;
}

function nowSection(shown: Shown): string {
  const { renderings, pyramids } = shown.report;
  const { count } = amounts(shown.language);
  const queue = ({ running, waiting }: { running: number; waiting: number }): string =>
    word(shown, 'queue', { running: count(running), waiting: count(waiting) });
  const values = {
    running: count(pyramids.building),
    waiting: count(pyramids.waiting),
    failed: count(pyramids.failed),
  };
  const rows = [
    [word(shown, 'small'), queue(renderings.small)],
    [word(shown, 'large'), queue(renderings.large)],
    [word(shown, 'pyramids'), word(shown, 'builds', values)],
  ].map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return `<section><h2>${word(shown, 'now')}</h2>\n<dl class="now">${rows.join('')}</dl></section>`;
}

function budgetSection(shown: Shown): string {
  const { budgets = [] } = shown.report;
  if (budgets.length === 0) return '';
  const head = `<h2 id="budgets">${word(shown, 'budgets')}</h2>`;
  const used = budgets.filter(isUsed);
  if (used.length === 0) return `<section>${head}\n<p class="none">${word(shown, 'full')}</p></section>`;
  const { count } = amounts(shown.language);
  const rows = used.map(({ name, left, size, binds, refused }) => {
    const part = size > 0 ? Math.max(0, Math.min(1, left / size)) : 0;
    const meter = `<meter min="0" max="1" value="${part.toFixed(3)}" aria-hidden="true"></meter>`;
    const state = binds ? ` <strong>${word(shown, 'binds')}</strong>` : '';
    return `<tr${binds ? ' class="binds"' : ''}><th scope="row">${escapeHtml(budgetIn(shown.language, name))}${state}</th><td class="share">${meter}</td><td>${Math.round(part * 100)} %</td><td>${count(refused)}</td></tr>`;
  });
  return `<section>${head}
<table aria-labelledby="budgets"><thead><tr><th scope="col" class="name">${word(shown, 'name')}</th><td></td><th scope="col">${word(shown, 'left')}</th><th scope="col">${word(shown, 'refused')}</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></section>`;
}

function holdSection(shown: Shown): string {
  const { holds, at } = shown.report;
  if (holds === undefined) return `<section><p class="none">${word(shown, 'no-shield')}</p></section>`;
  const rows = holds.map(({ network, until }) => {
    const minutes = Math.ceil((Date.parse(until) - Date.parse(at)) / 60_000);
    const left = `<td>${word(shown, 'minutes-left', { minutes })}</td>`;
    return `<tr><th scope="row">${escapeHtml(network)}</th>${left}<td class="do">${changeForm(shown, 'release', network, 'held')}</td></tr>`;
  });
  if (rows.length === 0) return '';
  return `<section><h2 id="held">${word(shown, 'held')}</h2>
<table aria-labelledby="held"><tbody>${rows.join('\n')}</tbody></table></section>`;
}

/** Holds a network that is in no table; outside of what is replaced, so that one can type. */
function typedForm(shown: Shown): string {
  if (shown.report.holds === undefined) return '';
  return `<form method="post" class="typed">
<label for="network">${word(shown, 'network')}</label>
<input id="network" name="network" required maxlength="60" autocomplete="off" spellcheck="false" placeholder="198.51.100.0/24">
<button name="do" value="hold">${word(shown, 'hold')}</button>
<p>${word(shown, 'held-note')}</p>
</form>`;
}

export function dutyPage(report: DutyReport, language: PageLanguage): Page {
  const shown: Shown = { report, language };
  const body = `<h1>${word(shown, 'title')}</h1>
<p class="lead">${word(shown, 'lead')}</p>
<p id="status" role="status" tabindex="-1"></p>
<div id="live">
${windows(shown)}
${totals(shown)}
<div class="columns">
<div>${nowSection(shown)}
${holdSection(shown)}</div>
${budgetSection(shown)}
</div>
${costTables(shown)}
</div>
${typedForm(shown)}`;
  return page({
    title: `${wordIn(language, 'title')} – Lectern`,
    body,
    style: dutyStyle,
    language,
    hasForm: true,
    script: dutyScript,
    facts: { gone: wordIn(language, 'gone') },
  });
}

/** The measure that an address names; time where it names none. */
export const measureIn = (text: string | null): Measure => measures.find((one) => one === text) ?? 'ms';
