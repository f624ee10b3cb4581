import { DomainError } from '@fanfare/errors';
import { postStatsFromProto } from '@fanfare/resources';
import { systemCall } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import type { Operations, Resource } from './read-operations.ts';

/** A file of the archive: one resource on each line. */
export interface ExportedFile {
  readonly name: string;
  readonly resources: AsyncIterable<Resource>;
}

const TIMEOUT_MS = 30_000;

/**
 * All files, one after the other: each is read before the next one is begun. They contain what the list operations of the API return to an owner, which is no secret.
 * A test compares them with the operations of the API: each one is here, or the test says why not.
 */
export async function* exportedFiles(
  context: Pick<Context, 'analytics' | 'content'>,
  operations: Operations,
  organizationId: string,
): AsyncGenerator<ExportedFile> {
  const { one, list } = operations;
  yield { name: 'organization', resources: one('get_organization', { organization_id: organizationId }) };
  yield { name: 'members', resources: list('list_members') };
  yield { name: 'invitations', resources: list('list_invitations') };
  yield { name: 'keys', resources: list('list_keys') };
  yield { name: 'webhooks', resources: list('list_webhooks') };
  yield { name: 'feedback', resources: list('list_feedback') };
  yield { name: 'audit', resources: list('list_audit_entries') };
  yield { name: 'events', resources: list('list_events') };
  const businessIds: string[] = [];
  yield { name: 'businesses', resources: businesses(operations, businessIds) };
  for (const id of businessIds) {
    for await (const { name, resources } of filesOfBusiness(context, operations, { organizationId, businessId: id })) {
      yield { name: `businesses/${id}/${name}`, resources };
    }
  }
}

/** @param ids are added */
async function* businesses({ one, list }: Operations, ids: string[]): AsyncGenerator<Resource> {
  for await (const { id } of list('list_businesses')) {
    ids.push(String(id));
    yield* one('get_business', { business_id: String(id) });
  }
}

interface OfBusiness {
  readonly organizationId: string;
  readonly businessId: string;
}

async function* filesOfBusiness(
  context: Pick<Context, 'analytics' | 'content'>,
  operations: Operations,
  scope: OfBusiness,
): AsyncGenerator<ExportedFile> {
  const { list } = operations;
  const params = { business_id: scope.businessId };
  yield { name: 'topics', resources: list('list_topics', params) };
  yield { name: 'categories', resources: list('list_categories', params) };
  const folderIds: (string | null)[] = [null];
  yield { name: 'folders', resources: folders(operations, params, folderIds) };
  yield { name: 'files', resources: ofEach(folderIds, (id) => list('list_files', params, inFolder(id))) };
  yield { name: 'media', resources: ofEach(folderIds, (id) => list('list_library', params, inFolder(id))) };
  yield { name: 'posts', resources: list('list_posts', params) };
  yield { name: 'timelines', resources: ofEach(timelines(context, scope), (postId) => timeline(operations, params, postId)) };
  const posts = list('list_posts', params);
  yield { name: 'post_statistics', resources: ofEach(posts, (post) => statistics(context, scope, String(post['id']))) };
  yield { name: 'queues', resources: list('list_queues', params) };
  yield { name: 'integrations', resources: list('list_integrations', params) };
  const accounts = list('list_integrations', params);
  yield { name: 'account_history', resources: ofEach(accounts, (account) => history(operations, params, String(account['id']))) };
  yield { name: 'designs', resources: list('list_designs', params) };
  yield { name: 'templates', resources: ofEach(list('list_templates', params), (template) => ofOwn(operations, params, template)) };
  yield { name: 'jobs', resources: list('list_jobs', params) };
}

type Params = Readonly<Record<string, string>>;

async function* ofEach<T>(all: AsyncIterable<T> | Iterable<T>, read: (one: T) => AsyncIterable<Resource>): AsyncGenerator<Resource> {
  for await (const one of all) yield* read(one);
}

const inFolder = (id: string | null): Params => ({ folder_id: id ?? 'null' });

/** The whole tree, a level at a time. @param ids are added */
async function* folders({ list }: Operations, params: Params, ids: (string | null)[]): AsyncGenerator<Resource> {
  // The list grows while it is read.
  for (const id of ids) {
    for await (const folder of list('list_folders', params, inFolder(id))) {
      ids.push(String(folder['id']));
      yield folder;
    }
  }
}

/** Also of posts that are deleted, which no list of the API has. */
async function* timelines({ content }: Pick<Context, 'content'>, scope: OfBusiness): AsyncGenerator<string> {
  const call = { metadata: systemCall('gateway', scope) };
  for (let afterId: string | undefined = ''; afterId !== undefined;) {
    const { postIds, nextAfterId } = await content.listTimelines({ afterId }, { call, timeoutMs: TIMEOUT_MS });
    yield* postIds;
    afterId = nextAfterId || undefined;
  }
}

async function* timeline({ list }: Operations, params: Params, postId: string): AsyncGenerator<Resource> {
  for await (const entry of list('list_timeline', { ...params, post_id: postId })) yield { post_id: postId, ...entry };
}

/** What is stored. `get_post_stats` would read the platforms, which have limits. */
async function* statistics(
  { analytics }: Pick<Context, 'analytics'>,
  { organizationId, businessId }: OfBusiness,
  postId: string,
): AsyncGenerator<Resource> {
  const request = { postId, targets: [], withHistory: true, isFresh: false, isStored: true };
  const call = { metadata: systemCall('gateway', { organizationId, businessId }) };
  const { results } = await analytics.getPostStats(request, { call, timeoutMs: TIMEOUT_MS });
  if (results.length > 0) yield postStatsFromProto(postId, results, true);
}

/** As far back as it is stored, in months: the operation returns 30 days, or fewer if they begin before the first one that is kept. */
async function* history({ find }: Operations, params: Params, integrationId: string): AsyncGenerator<Resource> {
  for (let query: Params = {}; ;) {
    const page = await find('get_integration_history', { ...params, integration_id: integrationId }, query).catch((error: unknown) => {
      // Before the first day that is kept.
      if (error instanceof DomainError && error.code === 'invalid_request') return undefined;
      throw error;
    });
    if (!page) return;
    const { start_date: start, end_date: end, days } = page as { start_date: string; end_date: string; days: unknown[] };
    if (days.length > 0) yield { integration_id: integrationId, ...page };
    if (daysBetween(start, end) < MONTH_DAYS - 1) return;
    query = { end_date: dayBefore(start) };
  }
}

const DAY_MS = 24 * 60 * 60_000;
const MONTH_DAYS = 30;
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
const dayBefore = (day: string) => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);

/** The whole template, which the list does not have. The built-in ones are nobody's. */
async function* ofOwn({ one }: Operations, params: Params, { id, is_own }: Resource): AsyncGenerator<Resource> {
  if (is_own === true) yield* one('get_template', { ...params, template_id: String(id) });
}
