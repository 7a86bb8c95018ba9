/** User-Agents in some words: the program and its version, and nothing that the sender could add to be recognized by. */
import { LRUCache } from 'lru-cache';

/** Different programs that are known at once. */
const maxKnown = 1000;

/** Of longer headers the beginning is looked at, and they are not remembered. */
const maxLength = 400;

const robot =
  /\b([\w.-]{0,30}(?:bot|crawl|spider|slurp|fetch|scan|harvest)[\w.-]{0,20})(?:[/ ]v?(\d{1,6}(?:\.\d{1,6})?))?/i;

/** Browsers, the more special ones first: the others’ names are in their headers, too. */
const browsers: readonly (readonly [name: string, form: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d{1,6})/],
  ['Opera', /\bOPR\/(\d{1,6})/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d{1,6})/],
  ['Chrome', /\b(?:Headless)?Chrome\/(\d{1,6})|\bCriOS\/(\d{1,6})/],
  ['Safari', /\bVersion\/(\d{1,6})[\d.]* (?:Mobile\/\w+ )?Safari\//],
];

const product = /^([\w.+-]{1,40})(?=[/\s;(]|$)(?:\/v?(\d{1,6}(?:\.\d{1,6})?))?/;

const named = (name: string, version: string | undefined): string => (version ? `${name} ${version}` : name);

function shorten(header: string): string {
  const text = header.slice(0, maxLength);
  const [isRobot, name = '', version] = robot.exec(text) ?? [];
  if (isRobot !== undefined) return named(name, version);
  for (const [browser, form] of browsers) {
    const [isBrowser, one, other] = form.exec(text) ?? [];
    if (isBrowser !== undefined) return named(browser, one ?? other);
  }
  const [isProduct, program = '', its] = product.exec(text) ?? [];
  return isProduct === undefined ? '?' : named(program, its);
}

const known = new LRUCache<string, string>({ max: maxKnown, memoMethod: shorten });

/** A User-Agent in at most 60 characters; a hyphen where there is none. */
export const agentOf = (header: string | undefined): string =>
  header === undefined || header === '' ? '–' : header.length > maxLength ? shorten(header) : known.memo(header);
