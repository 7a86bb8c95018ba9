/** Reads the table of contents: chapters with their pages, and chapters inside of them. */
import type { Structure } from '../../image/folder/folder-metadata.ts';
import { quote } from '../../text/quote.ts';
import type { Faults } from './faults.ts';
import { readFields } from './fields.ts';
import type { PageNames } from './pages.ts';
import { readLanguages, readTexts } from './text.ts';
import { itemsOf, kindName, type MapValue, type Value } from './value.ts';

const maxDepth = 20;

function readChapterPages(value: Value, pages: PageNames, faults: Faults): readonly string[] {
  const files = new Set<string>();
  for (const text of readTexts(value, 'pages', faults)) {
    for (const file of pages.find(text, faults)) {
      if (files.has(file)) faults.add(text.line, `The page ${quote(file)} is in this chapter already.`);
      files.add(file);
    }
  }
  return [...files];
}

function readChapter(map: MapValue, pages: PageNames, faults: Faults, depth: number): readonly Structure[] {
  const fields = readFields(map, ['label', 'pages', 'contents', 'structures'], faults);
  const labelValue = fields.get('label');
  const label = labelValue && readLanguages(labelValue, 'label', faults);
  const inside = fields.get('contents') ?? fields.get('structures');
  const named = fields.get('pages');
  if (label === undefined) {
    faults.add(map.line, 'This chapter has no label, and is left out; write label: and its title.');
    return [];
  }
  if (inside === undefined && named === undefined) {
    faults.add(map.line, 'This chapter has neither pages nor contents, and is left out.');
    return [];
  }
  const files = named === undefined ? [] : readChapterPages(named, pages, faults);
  const structures = inside === undefined ? [] : readStructures(inside, pages, faults, depth + 1);
  return files.length > 0 || structures.length > 0 ? [{ label, pages: files, structures }] : [];
}

/** The chapters of a list; those that name no page of the folder are left out. */
export function readStructures(value: Value, pages: PageNames, faults: Faults, depth = 1): readonly Structure[] {
  if (depth > maxDepth) {
    faults.add(value.line, `Chapters can be ${maxDepth} deep; those inside are left out.`);
    return [];
  }
  return itemsOf(value).flatMap((item) => {
    if (item.kind === 'map') return readChapter(item, pages, faults, depth);
    faults.add(item.line, `A chapter is a map with label, pages and contents; this is ${kindName(item)}.`);
    return [];
  });
}
