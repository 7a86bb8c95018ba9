/** The log of failures: each at once, its repeats as a count, and addresses without tokens. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFailureLog, type Failure } from '../../../../src/core/http/failure-log.ts';
import { loggableAddress } from '../../../../src/core/http/target.ts';

const failure = (overrides: Partial<Failure> = {}): Failure => ({
  status: 500,
  code: 'failed',
  message: 'The picture could not be made.',
  address: '/Scaler?fn=a',
  requestId: 'r1',
  image: 'a',
  ...overrides,
});

describe('the log of failures', () => {
  const lines: {
    readonly level: string;
    readonly message: string;
    readonly repeats?: number;
    readonly image?: string;
  }[] = [];
  const at = (level: string) => (facts: object, message: string) => void lines.push({ level, message, ...facts });
  const log = { error: at('error'), warn: at('warn') } as never;

  beforeEach(() => {
    vi.useFakeTimers();
    lines.length = 0;
  });
  afterEach(() => void vi.useRealTimers());

  it('writes the first at once, and the repeats of an interval as a count', () => {
    const failures = createFailureLog(log, 1000);
    for (let index = 0; index < 2000; index++) failures.report(failure({ address: `/Scaler?fn=a&dw=${index}` }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'error', requestId: 'r1', image: 'a', status: 500 });
    vi.advanceTimersByTime(1000);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({ repeats: 1999, image: 'a' });
    vi.advanceTimersByTime(5000);
    failures.report(failure());
    expect(lines.map(({ repeats }) => repeats)).toEqual([undefined, 1999, undefined]);
  });

  it('tells images and reasons apart, but not the images of an overloaded server', () => {
    const failures = createFailureLog(log, 1000);
    failures.report(failure());
    failures.report(failure({ image: 'b' }));
    failures.report(failure({ code: 'too-slow', status: 504 }));
    for (const image of ['a', 'b', 'c']) failures.report(failure({ code: 'overloaded', status: 503, image }));
    expect(lines.map(({ level }) => level)).toEqual(['error', 'error', 'warn', 'warn']);
  });

  it('loses no count when it ends, nor when it counts too many failures', () => {
    const failures = createFailureLog(log, 1000);
    for (let index = 0; index < 1002; index++)
      for (let time = 0; time < 3; time++) failures.report(failure({ image: String(index) }));
    failures.close();
    expect(lines.reduce((sum, { repeats = 1 }) => sum + repeats, 0)).toBe(3006);
  });
});

describe('an address in the log', () => {
  it.each([
    ['/Scaler?fn=a&dw=100', '/Scaler?fn=a&dw=100'],
    ['/Scaler', '/Scaler'],
    ['/Scaler?fn=a&id_token=s3cret&dw=1', '/Scaler?fn=a&id_token=…&dw=1'],
    ['/Scaler?fn=a;ID_Token=s3cret', '/Scaler?fn=a;ID_Token=…'],
    ['/Scaler?fn=a&%69d_token=s3cret', '/Scaler?fn=a&=…'],
    ['/Scaler?access_token=s3cret', '/Scaler?access_token=…'],
    ['/Scaler?x=eyJhbGciOi.eyJzdWIi.c2ln&fn=a', '/Scaler?x=…&fn=a'],
    ['/eyJhbGciOi.eyJzdWIi.c2ln/Scaler', '/…/Scaler'],
    ['https://portal.example/page?x=1#id_token=s3cret', 'https://portal.example/page?x=1'],
    ['https://reader:s3cret@portal.example/page', 'https://portal.example/page'],
    ['https://portal.example/@page', 'https://portal.example/@page'],
  ])('%s', (address, shown) => expect(loggableAddress(address)).toBe(shown));

  it('never holds the value of a token', () => {
    const encodings = fc.constantFrom('id_token', 'ID_TOKEN', 'id%5ftoken', '%69%64_token', 'Id_%54oken');
    fc.assert(
      fc.property(
        encodings,
        fc.constantFrom('&', ';', '&amp;', '?'),
        fc.webQueryParameters(),
        (name, separator, other) => {
          expect(loggableAddress(`/Scaler?${other}${separator}${name}=s3cret-value${separator}fn=x`)).not.toContain(
            's3cret',
          );
        },
      ),
    );
  });
});
