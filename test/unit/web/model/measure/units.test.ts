import { describe, expect, it } from 'vitest';
import { parseUnits } from '../../../../../src/config/files/units-file.ts';
import type { Unit } from '../../../../../src/core/image/model/units.ts';
import {
  allUnits,
  formatArea,
  formatDegrees,
  formatLength,
  formatPixels,
  formatRatio,
  formatUnitScale,
  historicalUnits,
  isFound,
  keyOf,
  suitableUnit,
  withOwnUnits,
} from '../../../../../web/src/model/measure/units.ts';

const unit = (name: string, place?: string): Unit => {
  const found = allUnits.find((one) => one.name === name && one.place === place);
  if (found === undefined) throw new Error(`There is no ${name} of ${place}.`);
  return found;
};

describe('the scale of an image in a unit', () => {
  it.each([
    ['league', 'England', { x: 20.8 / 4828.032, y: 20.8 / 4828.032 }, 'en', '1 league (England) = 20.8 px'],
    ['centimeter', undefined, { x: 11_811, y: 11_811 }, 'de', '1 cm = 118 px'],
    ['meter', undefined, { x: 1234.5, y: 50 }, 'en', '1 m = 1,235 × 50 px'],
  ] as const)('%s of %s at %j in %s: %s', (name, place, scale, locale, text) => {
    expect(formatUnitScale(unit(name, place), scale, locale)).toBe(text);
  });
});

describe('the table of units', () => {
  it('has about 130 old units, each once', () => {
    expect(historicalUnits.length).toBeGreaterThanOrEqual(130);
    expect(new Set(allUnits.map(keyOf)).size).toBe(allUnits.length);
  });

  it('has a place and a length for each old unit', () => {
    const odd = historicalUnits.filter(
      ({ name, place, meters }) => !name || !place || !(meters > 0 && meters < 12_000),
    );
    expect(odd).toEqual([]);
  });

  /** What a larger unit was of a smaller one: two numbers of the table that check each other. */
  it.each([
    ['Paris', 'pied du roi', 144, 'ligne'],
    ['Paris', 'pied du roi', 12, 'pouce'],
    ['Paris', 'toise', 6, 'pied du roi'],
    ['Paris', 'perche', 18, 'pied du roi'],
    ['Paris', 'perche des eaux et forêts', 22, 'pied du roi'],
    ['Paris', 'lieue de poste', 2000, 'toise'],
    ['Paris', 'brasse (marine)', 5, 'pied du roi'],
    ['Prussia', 'Fuß', 12, 'Zoll'],
    ['Prussia', 'Elle', 25.5, 'Zoll'],
    ['Prussia', 'Klafter', 6, 'Fuß'],
    ['Prussia', 'Rute', 12, 'Fuß'],
    ['Prussia', 'Lachter', 80, 'Zoll'],
    ['Prussia', 'Meile', 24_000, 'Fuß'],
    ['Bavaria', 'Rute', 10, 'Fuß'],
    ['Bavaria', 'Klafter', 6, 'Fuß'],
    ['Bavaria', 'Elle', 34.25 / 12, 'Fuß'],
    ['Saxony', 'Elle', 2, 'Fuß'],
    ['Saxony', 'Rute', 7 + 14 / 24, 'Elle'],
    ['Saxony', 'Postmeile', 16_000, 'Elle'],
    ['Württemberg', 'Elle', 2.144, 'Fuß'],
    ['Württemberg', 'Rute', 10, 'Fuß'],
    ['Hanover', 'Elle', 2, 'Fuß'],
    ['Hanover', 'Rute', 16, 'Fuß'],
    ['Hamburg', 'Elle', 2, 'Fuß'],
    ['Hamburg', 'Marschrute', 14, 'Fuß'],
    ['Hamburg', 'Geestrute', 16, 'Fuß'],
    ['Bremen', 'Elle', 2, 'Fuß'],
    ['Brunswick', 'Elle', 2, 'Fuß'],
    ['Vienna', 'Fuß', 12, 'Zoll'],
    ['Vienna', 'Klafter', 6, 'Fuß'],
    ['Vienna', 'Meile', 4000, 'Klafter'],
    ['Poland', 'łokieć', 2, 'stopa'],
    ['Poland', 'sążeń', 6, 'stopa'],
    ['Poland', 'pręt', 15, 'stopa'],
    ['Amsterdam', 'voet', 11, 'duim'],
    ['Amsterdam', 'roede', 13, 'voet'],
    ['Rijnland', 'roede', 12, 'voet'],
    ['Florence', 'braccio da panno', 20, 'soldo'],
    ['Florence', 'canna', 4, 'braccio da panno'],
    ['Milan', 'trabucco', 6, 'piede'],
    ['Venice', 'passo', 5, 'piede'],
    ['Rome', 'canna', 10, 'palmo'],
    ['Rome', 'piede', 4 / 3, 'palmo'],
    ['Rome', 'passetto', 3, 'palmo'],
    ['Rome', 'staiolo', 5.75, 'palmo'],
    ['Rome', 'miglio', 5000, 'piede'],
    ['Naples', 'canna (until 1840)', 8, 'palmo (until 1840)'],
    ['Naples', 'canna (from 1840)', 10, 'palmo (from 1840)'],
    ['Palermo', 'canna', 8, 'palmo'],
    ['Turin', 'trabucco', 6, 'piede liprando'],
    ['Turin', 'piede liprando', 1.5, 'piede manuale'],
    ['Bologna', 'pertica', 10, 'piede'],
    ['Castile', 'pie', 12, 'pulgada'],
    ['Castile', 'palmo', 0.75, 'pie'],
    ['Castile', 'codo', 1.5, 'pie'],
    ['Castile', 'vara', 3, 'pie'],
    ['Castile', 'estadal', 4, 'vara'],
    ['Castile', 'legua', 20_000, 'pie'],
    ['Catalonia', 'cana', 8, 'pam'],
    ['Portugal', 'palmo', 8, 'polegada'],
    ['Portugal', 'vara', 5, 'palmo'],
    ['Denmark', 'fod', 12, 'tomme'],
    ['Denmark', 'alen', 2, 'fod'],
    ['Denmark', 'favn', 3, 'alen'],
    ['Denmark', 'mil', 12_000, 'alen'],
    ['Norway', 'alen', 2, 'fot'],
    ['Sweden', 'fot', 12, 'tum'],
    ['Sweden', 'aln', 2, 'fot'],
    ['Sweden', 'famn', 3, 'aln'],
    ['Sweden', 'mil', 18_000, 'aln'],
    ['Russia', 'arshin', 16, 'vershok'],
    ['Russia', 'sazhen', 3, 'arshin'],
    ['Russia', 'verst', 500, 'sazhen'],
    ['Ancient Egypt', 'royal cubit', 7, 'palm'],
    ['Ancient Egypt', 'palm', 4, 'digit'],
    ['Ancient Greece', 'Olympic stadion', 600, 'Olympic foot'],
    ['Ancient Rome', 'pes', 16, 'digitus'],
    ['Ancient Rome', 'pes', 12, 'uncia'],
    ['Ancient Rome', 'passus', 5, 'pes'],
    ['Ancient Rome', 'actus', 120, 'pes'],
    ['Ancient Rome', 'mille passus', 1000, 'passus'],
    ['Ancient Rome', 'pes Drusianus', 1.125, 'pes'],
    ['England', 'rod', 5.5 / 1.25, 'ell'],
    ['England', 'furlong', 10, 'chain'],
  ])('of %s: a %s has %d %s', (place, large, count, small) => {
    expect(unit(large, place).meters / (count * unit(small, place).meters)).toBeCloseTo(1, 2.5);
  });
});

describe('lengths', () => {
  it.each([
    [0.0000005, 'metric', 'micrometer'],
    [0.004, 'metric', 'millimeter'],
    [0.05, 'metric', 'centimeter'],
    [0.5, 'metric', 'centimeter'],
    [1, 'metric', 'meter'],
    [4000, 'metric', 'kilometer'],
    [0.01, 'imperial', 'inch'],
    [0.5, 'imperial', 'foot'],
    [2000, 'imperial', 'mile'],
  ] as const)('of %d m are said by the %s system in a unit: %s', (meters, system, name) => {
    expect(suitableUnit(meters, system).name).toBe(name);
  });

  it.each([
    [0.123456, 'centimeter', undefined, 'en', '12.35 cm'],
    [0.123456, 'centimeter', undefined, 'de', '12,35 cm'],
    [12_345.6, 'meter', undefined, 'en', '12,346 m'],
    [12_345.6, 'meter', undefined, 'de', '12.346 m'],
    [0, 'meter', undefined, 'en', '0 m'],
    [0.000012344, 'meter', undefined, 'en', '0.00001234 m'],
    [1, 'Fuß', 'Prussia', 'de', '3,186 Fuß (Preußen)'],
    [1, 'Fuß', 'Prussia', 'en', '3.186 Fuß (Prussia)'],
    [1, 'palmo (until 1840)', 'Naples', 'de', '3,793 palmi (until 1840, Neapel)'],
    [4828.032, 'league', 'England', 'en', '1 league (England)'],
    [4828.032 * 3, 'league', 'England', 'en', '3 leagues (England)'],
    [0.333469, 'Elle', 'Prussia', 'de', '0,5 Ellen (Preußen)'],
    [0, 'toise', 'Paris', 'en', '0 toises (Paris)'],
    [0, 'toise', 'Paris', 'fr', '0 toise (Paris)'],
    [2.92354, 'toise', 'Paris', 'fr', '1,5 toise (Paris)'],
    [2.92354, 'toise', 'Paris', 'en', '1.5 toises (Paris)'],
    [0.32, 'chi (builders)', 'China, Qing', 'en', '1 chi (builders, China, Qing)'],
  ] as const)('%d m as %s of %s in %s: %s', (meters, name, place, locale, text) => {
    expect(formatLength(meters, unit(name, place), locale)).toBe(text);
  });

  it.each([
    [formatArea(0.00123456, unit('centimeter'), 'en'), '12.35 cm²'],
    [formatArea(0.1, unit('Fuß', 'Prussia'), 'de'), '1,015 Fuß² (Preußen)'],
    [formatDegrees(12.345, 'de'), '12,3°'],
    [formatRatio(1.61803, 'en'), '1.618 : 1'],
    [formatPixels(12.345, 'en'), '12.3 px'],
    [formatPixels(1234.5, 'en'), '1,235 px'],
  ])('formats %s', (text, expected) => expect(text).toBe(expected));
});

describe('lengths with a precision', () => {
  it.each([
    [0.05006, 'centimeter', 0.00004, '5.01 cm'],
    [0.05006, 'centimeter', 0.0000001, '5.006 cm'],
    [0.05006, 'centimeter', 0.0001, '5.01 cm'],
    [0.05006, 'centimeter', 0.0005, '5 cm'],
    [0.05006, 'millimeter', 0.0005, '50 mm'],
    [0.05006, 'millimeter', 0.005, '50 mm'],
  ] as const)('%d m in a %s have no more digits than %d m can tell: %s', (meters, name, step, text) => {
    expect(formatLength(meters, unit(name), 'en', step)).toBe(text);
  });

  it('limits the digits of areas too', () =>
    expect(formatArea(0.00123456, unit('centimeter'), 'en', 0.00001)).toBe('12.3 cm²'));
});

describe('names of places', () => {
  it.each([
    ['fuss preuss', 'Fuß', 'Prussia', true],
    ['FUSS', 'Fuß', 'Prussia', true],
    ['prussia', 'Fuß', 'Prussia', true],
    ['Wien', 'Zoll', 'Vienna', true],
    ['vienne', 'Zoll', 'Vienna', true],
    ['vienna', 'Zoll', 'Vienna', true],
    ['nurnberg', 'Elle', 'Nuremberg', true],
    ['lokiec', 'łokieć', 'Poland', true],
    ['arsin', 'arşın (market)', 'Ottoman Empire', true],
    ['', 'Fuß', 'Prussia', true],
    ['wien', 'Fuß', 'Prussia', false],
    ['fuss wien', 'Fuß', 'Prussia', false],
  ])(
    'are found by their names in both languages, without case and accents: %j and %s of %s: %s',
    (query, name, place, expected) => {
      expect(isFound(query, [name], place)).toBe(expected);
    },
  );
});

describe('a site’s own units', () => {
  it('are added to all others', () => {
    const { units, faults } = parseUnits(
      '{ "units": [{ "name": " Elle ", "place": "Ulm", "meters": 0.5, "source": "a book", "symbol": "" }, { "name": "step", "meters": 0.75 }] }',
    );
    expect(faults).toEqual([]);
    expect(units).toEqual([
      { name: 'Elle', place: 'Ulm', meters: 0.5, source: 'a book' },
      { name: 'step', meters: 0.75 },
    ]);
    expect(withOwnUnits(allUnits, units)).toHaveLength(allUnits.length + 2);
  });

  it('replace those of the same name and place', () => {
    const own = { name: 'Fuß', place: 'Weimar', meters: 0.28198 };
    const units = withOwnUnits(allUnits, [own]);
    expect(units).toHaveLength(allUnits.length);
    expect(units.filter((one) => keyOf(one) === keyOf(own))).toEqual([own]);
  });

  it.each([
    ['Elle', 'The file of units is no JSON object.'],
    ['[]', 'The file of units is no JSON object.'],
    ['{}', 'The file of units needs a list “units”.'],
    ['{ "units": [{ "meters": 1 }] }', 'Unit 1 has no name.'],
    ['{ "units": [5] }', 'Unit 1 has no name.'],
    ['{ "units": [{ "name": "a" }] }', 'Unit 1 (“a”) needs “meters”, a number above 0.'],
    ['{ "units": [{ "name": "a", "meters": "1" }] }', 'Unit 1 (“a”) needs “meters”, a number above 0.'],
    ['{ "units": [{ "name": "a", "meters": -1 }] }', 'Unit 1 (“a”) needs “meters”, a number above 0.'],
    ['{ "units": [{ "name": "a", "meters": 1, "place": 7 }] }', 'Unit 1 (“a”) has a “place” that is no text.'],
  ])('that can’t be read are reported: %s', (text, fault) => {
    expect(parseUnits(text)).toEqual({ units: [], faults: [fault] });
  });

  it('are read although others are malformed', () => {
    const { units, faults } = parseUnits('{ "units": [{ "name": "a", "meters": 0 }, { "name": "b", "meters": 2 }] }');
    expect(units).toEqual([{ name: 'b', meters: 2 }]);
    expect(faults).toHaveLength(1);
  });
});
