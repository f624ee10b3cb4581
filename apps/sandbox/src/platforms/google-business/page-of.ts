import type { Call } from '../../wire/call.ts';
import { invalidArgument } from '../google/errors.ts';

/** A page of a list, by `pageSize` and `pageToken`. */
export function pageOf<Row>({ query }: Call, rows: Row[], key: (row: Row) => string, sizes: { usual: number; max: number }) {
  const size = query.has('pageSize') ? Number(query.get('pageSize')) : sizes.usual;
  if (!Number.isInteger(size) || size < 1 || size > sizes.max) {
    throw invalidArgument([{ field: 'page_size', description: `page_size must be between 1 and ${sizes.max}.` }]);
  }
  const token = query.get('pageToken');
  const start = token === null ? 0 : rows.findIndex((row) => tokenOf(key(row)) === token);
  if (start < 0) throw invalidArgument([{ field: 'page_token', description: 'page_token is not valid.' }]);
  const next = rows[start + size];
  return { rows: rows.slice(start, start + size), more: next === undefined ? {} : { nextPageToken: tokenOf(key(next)) } };
}

const tokenOf = (key: string) => Buffer.from(`p:${key}`).toString('base64url');
