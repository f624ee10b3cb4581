import { createHash } from 'node:crypto';
import { DomainError } from '@fanfare/errors';
import type { FindCursor } from 'mongodb';

/** Where a page begins: the sort key of the last row of the previous page. Lists are sorted by (created_at, _id), descending. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

/**
 * Creates an opaque page token. It works only for the list that it came from: its checksum covers `binding`, which names the collection, the owner and
 * every filter. A token grants no access: each query is scoped by its own caller.
 */
export function pageToken(position: Position, binding: unknown): string {
  const payload = `${position.createdAt.getTime().toString(36)}.${position.id}`;
  return Buffer.from(`${payload}.${checksum(payload, binding)}`).toString('base64url');
}

/**
 * Reads a page token. Returns undefined for an empty token: the first page.
 * @throws DomainError invalid_request, param `cursor`
 */
export function parsePageToken(token: string, binding: unknown): Position | undefined {
  if (token === '') return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // Buffer.from ignores invalid characters and unused bits; the comparison permits only one spelling of a token.
  const match = bytes.toString('base64url') === token ? /^([0-9a-z]+)\.(.+)\.([0-9a-f]{16})$/.exec(bytes.toString('utf8')) : null;
  const [, time, id, sum] = match ?? [];
  if (time === undefined || id === undefined || sum !== checksum(`${time}.${id}`, binding)) {
    throw new DomainError('invalid_request', 'The cursor is invalid, or belongs to another list or to other filters.', { param: 'cursor' });
  }
  return { createdAt: new Date(parseInt(time, 36)), id };
}

/** The filter for rows after a position. `$lte` bounds the index scan, so that the last page costs as much as the first one. */
export function after(position: Position | undefined): Record<string, unknown> {
  if (!position) return {};
  const { createdAt, id } = position;
  return { created_at: { $lte: createdAt }, $or: [{ created_at: { $lt: createdAt } }, { _id: { $lt: id } }] };
}

/** The largest page of a response (2 MiB), less a reserve for what surrounds its rows, such as a `self` link with a long query. */
const PAGE_BYTES = (2 << 20) - (64 << 10);

/**
 * Reads a page of a sorted find. The page ends early, with a token, before it exceeds `maxBytes`, but always has a first row.
 * Rows are read in batches, which MongoDB limits to 16 MiB, so that memory is bounded as well.
 * @param sizeOf an upper bound of a row's bytes in the response; see `jsonBytes`
 */
export async function pageWithin<Row extends Sortable>(
  find: FindCursor<Row>,
  pageSize: number,
  binding: unknown,
  sizeOf: (row: Row) => number,
  maxBytes = PAGE_BYTES,
): Promise<Page<Row>> {
  const page: Row[] = [];
  let bytes = 0;
  const cursor = find.limit(pageSize + 1).batchSize(pageSize + 1);
  try {
    while (await cursor.hasNext()) {
      for (const row of cursor.readBufferedDocuments()) {
        bytes += sizeOf(row);
        const last = page.at(-1);
        if (last && (page.length === pageSize || bytes > maxBytes)) return { rows: page, nextPageToken: tokenAfter(last, binding) };
        page.push(row);
      }
    }
    return { rows: page, nextPageToken: '' };
  } finally {
    await cursor.close();
  }
}

/**
 * Shortens a page that has been read, when the exact size of its rows in the response is known. It has at most `maxBytes`, but always a first row.
 * @param sizes an upper bound of each row's bytes in the response
 */
export function shortened<Row extends Sortable>(
  page: Page<Row>,
  binding: unknown,
  sizes: readonly number[],
  maxBytes = PAGE_BYTES,
): Page<Row> {
  let bytes = 0;
  const cut = page.rows.findIndex((_, at) => (bytes += sizes[at] ?? 0) > maxBytes && at > 0);
  const last = page.rows[cut - 1];
  return last ? { rows: page.rows.slice(0, cut), nextPageToken: tokenAfter(last, binding) } : page;
}

/** An upper bound of the bytes of a text as JSON, with its quotes. Exact only for long texts, to save time for short ones. */
export function jsonBytes(text: string): number {
  const most = text.length * LONGEST_ESCAPE + 2;
  return most <= 4096 ? most : Buffer.byteLength(JSON.stringify(text));
}

/** `\u0000`: six bytes for one UTF-16 unit. Unescaped, a unit is at most three bytes in UTF-8. */
const LONGEST_ESCAPE = 6;

interface Sortable {
  readonly _id: string;
  readonly created_at: Date;
}

/** Rows and the token of the next page; the token is empty on the last page. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextPageToken: string;
}

/** Makes a page of up to `pageSize + 1` rows that were read. For rows that are always small; see `pageWithin` for others. */
export function pageOf<Row extends Sortable>(rows: readonly Row[], pageSize: number, binding: unknown): Page<Row> {
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  return { rows: page, nextPageToken: rows.length > pageSize && last ? tokenAfter(last, binding) : '' };
}

const tokenAfter = ({ created_at, _id }: Sortable, binding: unknown) => pageToken({ createdAt: created_at, id: _id }, binding);

function checksum(payload: string, binding: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([payload, binding]))
    .digest('hex')
    .slice(0, 16);
}
