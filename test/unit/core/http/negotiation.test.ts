/** Content negotiation: which JSON and which content coding a client prefers. */
import { describe, expect, it } from 'vitest';
import { preferredCoding, prefersLinkedJson } from '../../../../src/core/http/negotiation.ts';

describe('JSON-LD is preferred to plain JSON', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/*', false],
    ['application/json', false],
    ['text/html,application/xhtml+xml,*/*;q=0.8', false],
    ['application/ld+json', true],
    ['APPLICATION/LD+JSON', true],
    ['application/ld+json;profile="http://iiif.io/api/image/3/context.json"', true],
    ['application/ld+json;profile="http://example.org/a,b;c";q=0.9, application/json;q=0.8', true],
    ['application/ld+json, */*;q=0.5', true],
    ['*/*, application/ld+json', true],
    ['application/ld+json;q=0.9, application/json;q=0.8', true],
    ['application/json;q=0.8, application/ld+json;q=0.9', true],
    ['application/ld+json;q=0.8, application/json;q=0.9', false],
    ['application/ld+json;q=0.8, application/json;charset=utf-8', false],
    ['application/ld+json;q=0.5, */*', false],
    ['application/ld+json;q=0', false],
    ['application/ld+json;q=0, */*', false],
    ['application/ld+json; Q=0.000, application/json;q=0.1', false],
    ['application/json;q=0, */*;q=0.1', true],
    ['text/xml', false],
    ['no media type', false],
  ])('by “%s”: %s', (accept, expected) => expect(prefersLinkedJson(accept)).toBe(expected));
});

describe('the content coding', () => {
  it.each<[string | undefined, string]>([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['deflate', 'identity'],
    ['identity, br;q=0.5', 'identity'],
    ['identity;q=0', 'identity'],
    ['br;q=x', 'identity'],
  ])('for “%s” is %s', (header, coding) => expect(preferredCoding(['br', 'gzip', 'identity'], header)).toBe(coding));
});
