/** Reads rows of S3 inventories: CSV, gzipped or not, and Parquet. */
import { StringDecoder } from 'node:string_decoder';
import type { AsyncBuffer } from 'hyparquet';
import type { StagedObject } from './staging.ts';

/** The columns that are read, by their names in lower case without separators. */
interface Columns {
  readonly key: number;
  readonly size: number;
  readonly modified: number;
  readonly etag: number;
  readonly bucket: number;
  readonly isLatest: number;
  readonly isDeleteMarker: number;
}

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** The columns of a schema such as `Bucket, Key, Size, LastModifiedDate, ETag`. Throws where it lacks one that is needed. */
export function columnsOf(schema: readonly string[]): Columns {
  const names = schema.map(plainName);
  const at = (name: string): number => names.indexOf(name);
  const missing = ['key', 'size', 'lastmodifieddate', 'etag'].filter((name) => at(name) < 0);
  if (missing.length > 0)
    throw new Error(
      `the inventory lacks columns: it needs Key, Size, LastModifiedDate and ETag, and has ${schema.join(', ')}`,
    );
  return {
    ...{ key: at('key'), size: at('size'), modified: at('lastmodifieddate'), etag: at('etag') },
    ...{ bucket: at('bucket'), isLatest: at('islatest'), isDeleteMarker: at('isdeletemarker') },
  };
}

/** The fields of a line. Fields have no line breaks, since keys are encoded as in addresses. */
function fieldsOf(line: string): readonly string[] {
  if (!line.startsWith('"')) return line.split(',');
  const fields = line.slice(1, line.endsWith('"') ? -1 : undefined).split('","');
  return line.includes('""') ? fields.map((field) => field.replaceAll('""', '"')) : fields;
}

function decoded(key: string): string {
  if (!/[%+]/.test(key)) return key;
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}

const quoted = (etag: string): string => (etag === '' || etag.endsWith('"') ? etag : `"${etag}"`);

/** Undefined for older versions, and for marks of deleted objects. */
function objectIn(line: string, columns: Columns): StagedObject | undefined {
  const fields = fieldsOf(line.endsWith('\r') ? line.slice(0, -1) : line);
  if (fields[columns.isLatest] === 'false' || fields[columns.isDeleteMarker] === 'true') return undefined;
  const modifiedMs = Date.parse(fields[columns.modified] ?? '');
  const size = Number(fields[columns.size]);
  const key = fields[columns.key];
  if (key === undefined || !Number.isSafeInteger(size) || Number.isNaN(modifiedMs))
    throw new Error(`a line of the inventory is none of its columns: ${line.slice(0, 200)}`);
  return { key: decoded(key), size, etag: quoted(fields[columns.etag] ?? ''), modifiedMs };
}

/** The objects of each chunk of the lines. */
export async function* objectsInCsv(
  chunks: AsyncIterable<Buffer>,
  columns: Columns,
): AsyncGenerator<readonly StagedObject[]> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield lines.flatMap((line) => (line === '' ? [] : (objectIn(line, columns) ?? [])));
  }
  if (rest !== '') yield [objectIn(rest, columns) ?? []].flat();
}

interface ParquetRow {
  readonly key: string;
  readonly size?: bigint | number;
  readonly last_modified_date?: Date | bigint | number;
  readonly e_tag?: string;
  readonly is_latest?: boolean;
  readonly is_delete_marker?: boolean;
}

/** The objects of each group of rows. */
export async function* objectsInParquet(file: AsyncBuffer): AsyncGenerator<readonly StagedObject[]> {
  const { parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const metadata = await parquetMetadataAsync(file);
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const rows = (await parquetReadObjects({ file, metadata, rowStart, rowEnd })) as unknown as readonly ParquetRow[];
    rowStart = rowEnd;
    yield rows.flatMap((row) => {
      if (row.is_latest === false || row.is_delete_marker === true) return [];
      const { key, size = 0, last_modified_date: modified = 0, e_tag = '' } = row;
      return [{ key, size: Number(size), etag: quoted(e_tag), modifiedMs: Number(modified) }];
    });
  }
}
