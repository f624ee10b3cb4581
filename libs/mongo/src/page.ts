import { createHash } from 'node:crypto';
import { DomainError } from '@fanfare/errors';
import type { FindCursor } from 'mongodb';

/** Where a page begins: the sort key of the last row of the page before. Lists are ordered by (created_at, _id) descending. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

/**
 * Writes an opaque page token. It works only for the list that it came from: `binding` names the collection, the owner and every filter, and
 * goes into its checksum. It grants nothing: each query is scoped by its own caller.
 */
export function pageToken(position: Position, binding: unknown): string {
  const payload = `${position.createdAt.getTime().toString(36)}.${position.id}`;
  return Buffer.from(`${payload}.${checksum(payload, binding)}`).toString('base64url');
}

/**
 * Reads a page token; an empty one means the first page.
 * @throws DomainError invalid_request, param `cursor`
 */
export function parsePageToken(token: string, binding: unknown): Position | undefined {
  if (token === '') return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // Decoding passes over what is not base64url, and over bits that stand for nothing: a token has one spelling.
  const match = bytes.toString('base64url') === token ? /^([0-9a-z]+)\.(.+)\.([0-9a-f]{16})$/.exec(bytes.toString('utf8')) : null;
  const [, time, id, sum] = match ?? [];
  if (time === undefined || id === undefined || sum !== checksum(`${time}.${id}`, binding)) {
    throw new DomainError('invalid_request', 'The cursor is invalid, or belongs to another list or to other filters.', { param: 'cursor' });
  }
  return { createdAt: new Date(parseInt(time, 36)), id };
}

/** The filter for rows that come after a position. Its first part bounds the index: the last page costs what the first costs. */
export function after(position: Position | undefined): Record<string, unknown> {
  if (!position) return {};
  const { createdAt, id } = position;
  return { created_at: { $lte: createdAt }, $or: [{ created_at: { $lt: createdAt } }, { _id: { $lt: id } }] };
}

/** What a page of a response holds at most, less what may stand around its rows (a `self` link with a long query). */
const PAGE_BYTES = (2 << 20) - (64 << 10);

/**
 * Reads a page of a sorted find. It ends early, with a token, rather than grow past `maxBytes`; its first row is there whatever its size.
 * What would not fit is not held in memory either: rows are read by the batch, which MongoDB cuts at 16 MiB.
 * @param sizeOf bytes that a row takes in the response, at most; see `jsonBytes`
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
 * A page again, once it is known what stands around its rows: cut, with a token, rather than grow past `maxBytes`. Its first row stays.
 * @param sizes bytes that each row takes in the response, at most
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

/** Bytes of a text as JSON, quotes included, at most. Short texts, which are nearly all, cost no look at their characters. */
export function jsonBytes(text: string): number {
  const most = text.length * LONGEST_ESCAPE + 2;
  return most <= 4096 ? most : Buffer.byteLength(JSON.stringify(text));
}

/** `\u0000`: six bytes for one UTF-16 unit, which takes three in UTF-8 at most. */
const LONGEST_ESCAPE = 6;

interface Sortable {
  readonly _id: string;
  readonly created_at: Date;
}

/** Rows, and how to go on; the token is empty on the last page. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextPageToken: string;
}

/** Cuts a page out of `pageSize + 1` rows, where these are small whatever they hold. */
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
