/** The redactions in the `.meta` file of an image. What can't be read of them closes the image: it might cover more. */
import type { MetadataFault } from '../../image/folder/folder-metadata.ts';
import {
  parseRedaction,
  type Redaction,
  type Redactions,
  redactionMembers,
  type WrittenRedaction,
} from '../../image/model/redaction.ts';
import type { XmlElement } from '../../parsing/xml.ts';

type Fault = Omit<MetadataFault, 'file'>;

class WrongRedaction extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const knownMembers: ReadonlySet<string> = new Set(redactionMembers);

function redactionOf({ attributes, children, text, line }: XmlElement): Redaction {
  const unknown = Object.keys(attributes).find((name) => !knownMembers.has(name));
  if (unknown !== undefined) throw new WrongRedaction(`A <redaction> has no attribute “${unknown}”.`, line);
  if (children.length > 0 || text.trim() !== '')
    throw new WrongRedaction('A <redaction> is empty; what it says stands in its attributes.', line);
  const written: WrittenRedaction = {
    region: attributes['region']?.trim(),
    roles: [attributes['roles'] ?? []].flat(),
    until: attributes['until']?.trim(),
    page: attributes['page']?.trim(),
  };
  const parsed = parseRedaction(written);
  if ('problem' in parsed) throw new WrongRedaction(parsed.problem, line);
  return parsed.value;
}

function listIn(element: XmlElement): readonly Redaction[] {
  if (element.text.trim() !== '' || Object.keys(element.attributes).length > 0)
    throw new WrongRedaction('<redactions> holds only elements <redaction>.', element.line);
  return element.children.map((child) => {
    if (child.name !== 'redaction')
      throw new WrongRedaction(`<redactions> holds only elements <redaction>, not <${child.name}>.`, child.line);
    return redactionOf(child);
  });
}

/** The first element that speaks of redactions where no file of this kind has them. */
function misplacedIn(element: XmlElement, path: readonly string[]): XmlElement | undefined {
  const isPlace = path.length === 2 && path[1] === 'meta' && element.name === 'redactions';
  if (isPlace) return undefined;
  if (/redact/i.test(element.name)) return element;
  const own = [...path, element.name];
  for (const child of element.children) {
    const found = misplacedIn(child, own);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readIn(root: XmlElement): readonly Redaction[] {
  const misplaced = misplacedIn(root, []);
  if (misplaced !== undefined)
    throw new WrongRedaction(
      `<${misplaced.name}> is not read here; write <redactions> into <meta> of the file of one image.`,
      misplaced.line,
    );
  const metas = root.children.filter(({ name }) => name === 'meta');
  return metas.flatMap(({ children }) => children.filter(({ name }) => name === 'redactions').flatMap(listIn));
}

/** The redactions of a file that speaks of some. */
export function redactionsIn(
  root: XmlElement,
  ofFolder: boolean,
): { readonly redactions?: Redactions; readonly fault?: Fault } {
  try {
    const redactions = readIn(root);
    if (ofFolder && redactions.length > 0)
      throw new WrongRedaction(
        'Redactions are of one image: they stand in its own .meta file, or in metadata.yaml.',
        0,
      );
    return redactions.length > 0 ? { redactions } : {};
  } catch (error) {
    if (!(error instanceof WrongRedaction)) throw error;
    const message = `${error.message} Until that is right, the image is closed.`;
    return { redactions: 'unreadable', fault: { line: error.line, message } };
  }
}
