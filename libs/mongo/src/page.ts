import { createHash } from 'node:crypto';
import { DomainError } from '@fanfare/errors';

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
    throw new DomainError('invalid_request', 'The cursor is not one that this list gave out.', { param: 'cursor' });
  }
  return { createdAt: new Date(parseInt(time, 36)), id };
}

/** The filter for rows that come after a position. */
export function after(position: Position | undefined): Record<string, unknown> {
  if (!position) return {};
  return {
    $or: [{ created_at: { $lt: position.createdAt } }, { created_at: position.createdAt, _id: { $lt: position.id } }],
  };
}

/** Cuts a page out of `pageSize + 1` rows and says how to go on; the token is empty on the last page. */
export function pageOf<Row extends { _id: string; created_at: Date }>(
  rows: readonly Row[],
  pageSize: number,
  binding: unknown,
): { rows: readonly Row[]; nextPageToken: string } {
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  const nextPageToken = rows.length > pageSize && last ? pageToken({ createdAt: last.created_at, id: last._id }, binding) : '';
  return { rows: page, nextPageToken };
}

function checksum(payload: string, binding: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([payload, binding]))
    .digest('hex')
    .slice(0, 16);
}
