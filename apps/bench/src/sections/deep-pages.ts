import { CreateBusinessRequest, CreatePostRequest } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { draft } from '../operations.ts';
import { outboxEmpty } from '../outbox-empty.ts';
import type { BenchPlatform } from '../platform.ts';
import { reading } from '../taking-part.ts';
import { compare, type Figures, type Turns } from './compare.ts';

const CREATE_CONCURRENCY = 32;
const PAGE = 100;

export interface DeepPages {
  readonly posts: number;
  readonly first: Figures;
  readonly last: Figures;
}

/** Creates a long list, reads it to its last full page, and compares that page with the first one. */
export async function deepPages(platform: BenchPlatform, posts: number, turns: Turns, say: (line: string) => void): Promise<DeepPages> {
  say(`creating ${posts} posts by the content service`);
  const business = await fillBusiness(platform, posts);
  say('walking to the last page');
  const list = `/api/businesses/${business}/posts?limit=${PAGE}`;
  const headers = { authorization: `Bearer ${platform.apiKey}` };
  const cursor = await lastCursor(`${platform.baseUrl}${list}`, headers);

  say('measuring the first and the last page');
  const page = (path: string) => ({ origin: platform.baseUrl, request: () => ({ method: 'GET' as const, path, headers }) });
  const processes = reading(platform.processes);
  const { first, last } = await compare(
    [
      { name: 'first', target: page(list), processes },
      { name: 'last', target: page(`${list}&cursor=${cursor}`), processes },
    ],
    turns,
  );
  return { posts, first: first as Figures, last: last as Figures };
}

/** With the service's own contract: through the gateway it would take several times as long. */
async function fillBusiness({ operator, organizationId, contentAdminUrl }: BenchPlatform, posts: number): Promise<string> {
  const businessId = newId();
  const own = { operationId: newId(), businessId, name: 'Bench Archive', language: 'en' };
  await operator.content.createBusiness(CreateBusinessRequest.fromPartial(own), operator.as({ organizationId }));
  const scope = operator.as({ organizationId, businessId });
  const { caption, link } = draft;
  let left = posts;
  const lane = async () => {
    while (left-- > 0) {
      const request = { operationId: newId(), postId: newId(), caption, link, status: 'POST_STATUS_DRAFT' as const };
      await operator.content.createPost(CreatePostRequest.fromPartial(request), scope);
    }
  };
  await Promise.all(Array.from({ length: CREATE_CONCURRENCY }, lane));
  await outboxEmpty(contentAdminUrl);
  return businessId;
}

/** The cursor of the last full page. */
async function lastCursor(list: string, headers: Record<string, string>): Promise<string> {
  let reached = '';
  for (let next = ''; ;) {
    const response = await fetch(next === '' ? list : `${list}&cursor=${next}`, { headers, signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`GET ${list} returned ${response.status}: ${(await response.text()).slice(0, 300)}`);
    const page = (await response.json()) as { items: unknown[]; next: string | null };
    if (page.items.length === PAGE) reached = next;
    if (page.next === null) return reached;
    next = encodeURIComponent(page.next);
  }
}
