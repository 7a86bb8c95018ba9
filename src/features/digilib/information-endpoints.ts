/**
 * digilib's information endpoints besides the info object: what the caller may know of an image or a folder, and how
 * it is written (digilib.md, section 4).
 */
import type { Admission } from '../../core/access/admit.ts';
import type { Caller } from '../../core/access/policy.ts';
import type { Disclosure, FolderList } from '../../core/image/folder/folder-description.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { stemOf } from '../../core/image/model/formats.ts';
import { formatIdentifier } from '../../core/image/model/identifier.ts';
import { type Admitted, dpiOf, highest, type ImageContext, type ImageSet } from '../../core/image/model/image-set.ts';
import { textElement, type WrittenElement } from '../../core/parsing/markup.ts';

export interface Descriptions {
  /** The image that a decoded path names, or that is the page (from 1) of the folder that it names. */
  image(path: string, page: number, caller: Caller): Promise<Disclosure<Admitted<ImageSet>>>;
  /** The folder that contains that image; without its files where `listed` is false. */
  folder(path: string, page: number, caller: Caller, listed: boolean): Promise<Disclosure<FolderList>>;
}

async function disclose<T>(result: Promise<T>, guarded: boolean): Promise<Disclosure<T>> {
  try {
    return { kind: 'shown', value: await result, guarded };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    if (error.code === 'denied' || error.code === 'login-needed') return { kind: 'denied' };
    if (error.code === 'not-found') return { kind: 'none' };
    throw error;
  }
}

/** `guarded` is whether there are any access rules. */
export function createDescriptions(admission: Admission, guarded: boolean): Descriptions {
  async function list(path: string, page: number, caller: Caller, listed: boolean): Promise<FolderList> {
    const folder = await admission.admitFolderAround(path, page, caller);
    const entries = await admission.entriesOf(folder, caller);
    if (entries.length === 0) throw new ImageError('denied', 'You may not see any image of this folder.');
    const { identifier, images } = folder;
    return { path: formatIdentifier(identifier), count: images.length, entries: listed ? entries : [] };
  }
  return {
    image: (path, page, caller) => disclose(admission.admit(path, page, caller), guarded),
    folder: (path, page, caller, listed) => disclose(list(path, page, caller, listed), guarded),
  };
}

function contextElement(context: ImageContext): WrittenElement {
  if (context.kind === 'text') return textElement('context', context.text);
  const { link, name } = context;
  return {
    name: 'context',
    content: [
      ...(link === undefined ? [] : [textElement('link', link)]),
      ...(name === undefined ? [] : [textElement('name', name)]),
    ],
  };
}

/** As in digilib, a single text is the content of the result itself; all else has an element each. */
export function contextXml(answer: Disclosure<ImageSet>): WrittenElement {
  const contexts = answer.kind === 'shown' ? answer.value.metadata.contexts : [];
  const [first, ...more] = contexts;
  if (first?.kind === 'text' && more.length === 0) return textElement('result', first.text);
  return { name: 'result', content: contexts.map(contextElement) };
}

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

/** The members of ImgInfo-json.jsp, in pixels of the highest resolution; an unknown dpi is 0. */
export function imageInfo(answer: Disclosure<ImageSet>): object {
  if (answer.kind === 'none') return {};
  if (answer.kind === 'denied') return { auth_required: true };
  const { width, height } = highest(answer.value);
  const dpi = dpiOf(answer.value);
  return {
    filename: answer.value.name,
    ...(answer.guarded ? { auth_required: false } : {}),
    aspect: width / height,
    dpi_x: dpi?.x ?? 0,
    dpi_y: dpi?.y ?? 0,
    width,
    height,
  };
}
