import { json, type Reply } from '../../wire/reply.ts';
import { invalidRequest } from './errors.ts';
import { limits } from './limits.ts';
import type { PinterestCall } from './pinterest-operation.ts';

/** The bookmark names the first item of the next page, so that new pins do not shift it. */
export function pageOf<Item extends { id: string }>(call: PinterestCall, all: Item[], node: (item: Item) => unknown): Reply {
  const size = Number(call.query.get('page_size') ?? limits.page.default);
  if (!Number.isInteger(size) || size < 1 || size > limits.page.max)
    throw invalidRequest(`'page_size' must be between 1 and ${limits.page.max}`);
  const given = call.query.get('bookmark');
  const start = given === null ? 0 : all.findIndex(({ id }) => bookmark(id) === given);
  if (start < 0) throw invalidRequest("'bookmark' is not valid");
  const next = all[start + size];
  return json(200, { items: all.slice(start, start + size).map(node), bookmark: next ? bookmark(next.id) : null });
}

const bookmark = (id: string) => Buffer.from(`p|${id}`).toString('base64url');
