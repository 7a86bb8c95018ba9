// Counts answers by what became of them, and tells whether a refusal is as it has to be.
import { quantile } from '../../bench/lib/statistics.mjs';

/** For the way of an answer to a client on a busy machine. */
const slackMs = 1500;

/** A refusal is a line or some JSON for people, no page. */
const maxRefusalBytes = 4096;

/** digilib's requests with `mo=errcode` get errors as a status alone. */
const wantsStatusAlone = (target) => target.includes('errcode');

function malformationOf(target, { headers, body }) {
  if (!/^[1-9]\d*$/.test(headers['retry-after'] ?? '')) return `Retry-After: ${headers['retry-after']}`;
  if (headers['access-control-allow-origin'] !== '*') return 'no CORS header';
  if (wantsStatusAlone(target)) return undefined;
  const type = headers['content-type'] ?? '';
  if (!/^(?:text\/plain|application\/(?:[\w.]+\+)?json)\b/.test(type)) return `Content-Type: ${type}`;
  return body.length === 0 || body.length > maxRefusalBytes ? `a body of ${body.length} bytes` : undefined;
}

/**
 * What is wrong with an answer that is neither served nor a well-formed refusal in its time; undefined where nothing is.
 * `late` is what a machine without time can cause by itself: 504, no answer, and answers after the deadline.
 */
export function faultOf(target, answer, deadlineMs) {
  const { status, ms } = answer;
  if (status === 200 || status === 304) return undefined;
  if (status === 504 || typeof status === 'string')
    return { kind: 'late', text: `${status} after ${Math.round(ms)} ms` };
  const text = status === 429 || status === 503 ? malformationOf(target, answer) : `status ${status}`;
  if (text !== undefined) return { kind: 'malformed', text };
  return ms > deadlineMs + slackMs ? { kind: 'late', text: `${status} after ${Math.round(ms)} ms` } : undefined;
}

const maxExamples = 5;

/** What became of requests, by their kind. */
export class Tally {
  #kinds = new Map();
  /** Some faults, as sentences. */
  examples = [];
  /** The text of a refusal. */
  refusalText = '';
  #deadlineMs;

  /** `deadlineMs` is that of the server, within which every request is answered. */
  constructor(deadlineMs) {
    this.#deadlineMs = deadlineMs;
  }

  #kind(name) {
    const kind = this.#kinds.get(name) ?? {
      requests: 0,
      served: 0,
      statuses: {},
      malformed: 0,
      late: 0,
      ms: [],
      maxRefusalMs: 0,
    };
    this.#kinds.set(name, kind);
    return kind;
  }

  add(name, target, answer) {
    const kind = this.#kind(name);
    kind.requests++;
    const fault = faultOf(target, answer, this.#deadlineMs);
    if (fault !== undefined) {
      kind[fault.kind]++;
      if (this.examples.length < maxExamples) this.examples.push(`${target}: ${fault.text}`);
    }
    if (answer.status === 200 || answer.status === 304) {
      kind.served++;
      kind.ms.push(answer.ms);
      return;
    }
    kind.statuses[answer.status] = (kind.statuses[answer.status] ?? 0) + 1;
    kind.maxRefusalMs = Math.max(kind.maxRefusalMs, answer.ms);
    this.refusalText ||= answer.body.toString().slice(0, 300);
  }

  /** By kind, with the times of what was served; plain data. */
  summary() {
    const rows = [...this.#kinds].map(([name, { ms, ...counts }]) => {
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => (ms.length === 0 ? undefined : quantile(ms, part)));
      return [name, { ...counts, p50, p95, p99 }];
    });
    return { kinds: Object.fromEntries(rows), examples: this.examples, refusalText: this.refusalText };
  }
}
