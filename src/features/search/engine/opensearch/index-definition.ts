/** The index in an OpenSearch: its fields, and how it is made where there is none. */
import { SearchEngineError } from '../search-engine.ts';
import { type Client, faultOf, isFault } from './client.ts';

interface Field {
  readonly type: string;
  readonly analyzer?: string;
}

/** The words come folded, so that they are parted at spaces and nothing else. */
const fields = {
  folder: { type: 'keyword' },
  within: { type: 'keyword' },
  name: { type: 'keyword' },
  fingerprint: { type: 'keyword', index: false, doc_values: false },
  words: { type: 'text', analyzer: 'whitespace', norms: true },
  text: { type: 'text', index: false },
  boxes: { type: 'binary' },
} as const;

interface FoundIndex {
  readonly mappings?: { readonly properties?: Readonly<Record<string, Field>> };
}

const hasOurFields = ({ mappings }: FoundIndex): boolean =>
  Object.entries<Field>(fields).every(([name, field]) => {
    const found = mappings?.properties?.[name];
    return found?.type === field.type && found.analyzer === field.analyzer;
  });

/** Makes the index where there is none; rejects where there is one that other programs made, or none can be made. */
export async function ensureIndexExists(client: Client, path: string): Promise<void> {
  const found = await client({ method: 'GET', path: `${path}/_mapping` });
  if (found.status === 404) {
    const made = await client({
      method: 'PUT',
      path,
      body: { mappings: { dynamic: 'strict', properties: fields } },
      isWriting: true,
    });
    // Another server was quicker.
    if (isFault(made) && made.errorType !== 'resource_already_exists_exception') throw faultOf(made);
    return;
  }
  if (isFault(found)) throw faultOf(found);
  // An alias answers with the index that it stands for.
  if (!Object.values(found.body as Record<string, FoundIndex>).every(hasOurFields))
    throw new SearchEngineError(
      'The search engine’s index has other fields than Lectern’s; delete it, or name another.',
    );
}
