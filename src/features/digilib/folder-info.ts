/** The documents of dirInfo, in JSON and in XML (digilib.md, section 4). */
import type { Disclosure, FolderList } from '../../core/image/folder/folder-description.ts';
import { stemOf } from '../../core/image/model/formats.ts';
import { textElement, type WrittenElement } from '../../core/text/markup.ts';

/** The members of dirInfo-json.jsp; `count` is a string, as digilib has it. */
export function folderInfoJson(answer: Disclosure<FolderList>): object {
  if (answer.kind === 'none') return {};
  if (answer.kind === 'denied') return { auth_required: true };
  const { path, count, entries } = answer.value;
  return {
    url_path: path,
    count: String(count),
    ...(answer.guarded ? { auth_required: false } : {}),
    files: entries.map(({ index, name }) => ({ index, fn: stemOf(name), file: name })),
  };
}

/** The element of dirInfo-xml.jsp. */
export function folderInfoXml(answer: Disclosure<FolderList>): WrittenElement {
  if (answer.kind === 'none') return { name: 'dir' };
  if (answer.kind === 'denied') return { name: 'dir', content: [textElement('auth-required', 'true')] };
  const { path, count, entries } = answer.value;
  const files = entries.map(
    ({ index, name }): WrittenElement => ({
      name: 'file',
      content: [textElement('index', index), textElement('name', stemOf(name)), textElement('fsname', name)],
    }),
  );
  const guard = answer.guarded ? [textElement('auth-required', 'false')] : [];
  return { name: 'dir', content: [textElement('size', count), textElement('name', path), ...guard, ...files] };
}
