// Failures are mailed to the people concerned, in digests. The events are those of content and the publisher, over real Kafka.
import { topics } from '@fanfare/contracts';
import type { PublishResult } from '@fanfare/contracts/content';
import { PostChanged } from '@fanfare/contracts/content/events';
import type { Integration } from '@fanfare/contracts/publisher';
import { EndpointDisabled } from '@fanfare/contracts/webhooks/events';
import { LeaseLost } from '@fanfare/leased-work';
import { newId } from '@fanfare/runtime';
import { eventually, startEventPeer, testInfrastructure, type EventPeer } from '@fanfare/testing';
import { writeDigest } from '../../src/accounts/notices/write-digest.ts';
import { digestRows, type DigestDocument } from '../../src/accounts/store/digests.ts';
import type { NoticeDocument } from '../../src/accounts/store/notices.ts';
import { anIntegration } from '../fakes/fake-integrations.ts';
import { aBusiness, aPost } from '../values.ts';
import { anOrganization, mailsTo, type Person } from '../people.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
let peer: EventPeer;
beforeAll(async () => {
  const infra = testInfrastructure();
  gateway = await startGateway({ KAFKA_BROKERS: infra.kafkaBrokers.join(','), KAFKA_TOPIC_PREFIX: infra.topicPrefix });
  peer = await startEventPeer(infra, 'content', [topics.postChanged]);
});
afterAll(async () => {
  await gateway.stop();
  await peer.stop();
});

type Organization = Awaited<ReturnType<typeof anOrganization>> & { readonly businessId: string };

async function aTenant(): Promise<Organization> {
  const made = await anOrganization(gateway);
  const businessId = newId();
  const business = aBusiness({ id: businessId, organizationId: made.organizationId, name: `Café ${businessId}` });
  gateway.services.businesses.set(businessId, business);
  return { ...made, businessId };
}

const notices = () => gateway.context.db.collection<NoticeDocument>('notices');
const digests = () => gateway.context.db.collection<DigestDocument>('digests');
const failuresTo = async ({ email }: Person) => (await mailsTo(gateway, email)).filter(({ template }) => template === 'failures');
const untilNoticed = (organizationId: string, count: number) =>
  eventually(async () => (await notices().countDocuments({ organization_id: organizationId })) === count);

async function makeDue(organizationId: string): Promise<void> {
  await digests().updateOne({ _id: organizationId }, { $set: { run_at: new Date(0) } });
  digestRows.wakeWorkers(gateway.context.db);
}
async function untilDigestWritten(organizationId: string): Promise<void> {
  await makeDue(organizationId);
  await eventually(async () => {
    const waiting = await notices().countDocuments({ organization_id: organizationId, told_at: { $exists: false } });
    return waiting === 0;
  });
}

function aFailedPost({ organizationId, businessId }: Organization, more: Partial<PostChanged> & { caption?: string } = {}): PostChanged {
  const postId = more.postId ?? newId();
  gateway.services.posts.set(postId, aPost({ id: postId, businessId, caption: more.caption ?? 'Fresh bread' }));
  return PostChanged.fromPartial({
    postId,
    organizationId,
    businessId,
    revision: 3,
    changes: ['POST_CHANGE_RESULT_CHANGED', 'POST_CHANGE_ENDED'],
    status: 'POST_STATUS_DRAFT',
    actor: 'system:publisher',
    author: 'key:unknown',
    failedResults: [aFailedResult()],
    ...more,
  });
}

const aFailedResult = (more: Partial<PublishResult> = {}): PublishResult => ({
  deliveryId: newId(),
  publicationId: newId(),
  platform: 'facebook',
  integrationId: '',
  status: 'PUBLISH_RESULT_STATUS_FAILED',
  errorType: 'validation_failed',
  errorMessage: 'The caption is empty.',
  updatedAt: new Date(),
  attempts: 1,
  warnings: [],
  waiting: undefined,
  ...more,
});

const emit = (...posts: readonly PostChanged[]) =>
  peer.emit(
    topics.postChanged,
    posts.map((data) => {
      const { postId: subject, revision, organizationId, businessId } = data;
      return { emission: { subject, revision, organizationId, businessId, flowId: 'flow' }, data };
    }),
  );

function emitAccount({ organizationId, businessId }: Organization, more: Partial<Integration>) {
  const integration = anIntegration({ id: newId(), organizationId, businessId, updatedAt: new Date(), ...more });
  gateway.services.accounts.integrations.set(integration.id, integration);
  const emission = { subject: integration.id, revision: integration.revision, organizationId, businessId, flowId: 'flow' };
  return peer.emit(topics.integrationChanged, [{ emission, data: { integration } }]);
}

it('mails fifty concurrent failures to owners and authors, and to no one else', async () => {
  const tenant = await aTenant();
  const { organizationId, businessId, owner, manager, editor, viewer } = tenant;
  const byEditor = aFailedPost(tenant, { author: `user:${editor.id}`, caption: 'Rye bread' });
  await emit(...Array.from({ length: 49 }, () => aFailedPost(tenant)), byEditor);
  await untilNoticed(organizationId, 50);
  // Only when all events have been handled.
  expect(await failuresTo(owner)).toEqual([]);
  await untilDigestWritten(organizationId);

  const [toOwner, ...more] = await failuresTo(owner);
  expect(more).toEqual([]);
  expect(toOwner?.text).toContain('50 posts failed in Mill.');
  expect(toOwner?.text).toContain('40 more are not listed in this email.');
  const [toEditor, ...evenMore] = await failuresTo(editor);
  expect(evenMore).toEqual([]);
  expect(toEditor?.text).toContain('1 post failed in Mill.');
  expect(toEditor?.text).toContain(`“Rye bread” in Café ${businessId}`);
  expect(toEditor?.text).toContain(
    'Facebook: the platform does not accept the post in this form. Reason: The caption is empty.\n' +
      `  https://api.example.com/businesses/${businessId}/posts/${byEditor.postId}`,
  );
  expect(toEditor?.text).toContain('You get this email because you are an owner of the organization or created the post.');
  for (const person of [manager, viewer]) expect(await failuresTo(person)).toEqual([]);

  // The next failure waits for the next digest.
  await emit(aFailedPost(tenant));
  await untilNoticed(organizationId, 51);
  const { run_at, last_at } = (await digests().findOne({ _id: organizationId })) ?? {};
  expect(Number(run_at) - Number(last_at)).toBe(15 * 60_000);
  await untilDigestWritten(organizationId);
  expect(await failuresTo(owner)).toHaveLength(2);
});

it('leaves out failures that were solved before the mail is written', async () => {
  const tenant = await aTenant();
  const { organizationId, owner } = tenant;
  const [again, removed] = [newId(), newId()];
  const publicationId = newId();
  const failed = [again, removed].map((integrationId) => aFailedResult({ integrationId, publicationId }));
  const solved = aFailedPost(tenant, { caption: 'Published after all', failedResults: failed });
  const partly = aFailedPost(tenant, { caption: 'Half of it', failedResults: failed });
  const succeeded = (integrationId: string) => aFailedResult({ integrationId, status: 'PUBLISH_RESULT_STATUS_SUCCESS', errorType: '' });
  const { posts } = gateway.services;
  posts.set(solved.postId, { ...posts.get(solved.postId)!, publishResults: [succeeded(again), succeeded(removed)] });
  posts.set(partly.postId, { ...posts.get(partly.postId)!, publishResults: [succeeded(again), ...failed.slice(1)] });
  await emit(solved, partly);
  await untilNoticed(organizationId, 2);
  await untilDigestWritten(organizationId);

  const [mail, ...more] = await failuresTo(owner);
  expect(more).toEqual([]);
  expect(mail?.text).toContain('1 post failed in Mill.');
  expect(mail?.text).not.toContain('Published after all');
  expect(mail?.text.match(/Facebook: /g)).toHaveLength(1);
  expect(mail?.text).toContain('It was published to 1 other account.');
});

it('reports a publication once, however often its events repeat the failure', async () => {
  const tenant = await aTenant();
  const { organizationId, owner } = tenant;
  const first = aFailedPost(tenant);
  await emit(first, { ...first, revision: 4 }, { ...first, revision: 5, changes: ['POST_CHANGE_UPDATED'], failedResults: [] });
  await untilNoticed(organizationId, 1);
  await untilDigestWritten(organizationId);
  // When it is published again and fails again, there is a new notice, without the failure of the previous publication.
  const second = aFailedResult({ errorType: 'unknown_outcome', errorMessage: '' });
  await emit({ ...first, revision: 9, failedResults: [...first.failedResults, second] });
  await untilNoticed(organizationId, 2);
  await untilDigestWritten(organizationId);
  const [, mail, ...more] = await failuresTo(owner);
  expect(more).toEqual([]);
  expect(mail?.text).toContain('1 post failed');
  expect(mail?.text).toContain('Facebook: unknown. The platform may have the post: check there before you publish it again.');
  expect(mail?.text).not.toContain('The caption is empty.');
});

it('reports a post that failed in part, and one that could not be sent at all', async () => {
  const tenant = await aTenant();
  const { organizationId, businessId, owner } = tenant;
  const account = anIntegration({ id: newId(), organizationId, businessId, displayName: 'Corner www.evil.example' });
  gateway.services.accounts.integrations.set(account.id, account);
  const results = [aFailedResult({ integrationId: account.id, errorMessage: 'See https://evil.example \u202enow' })];
  const partly = aFailedPost(tenant, { caption: 'Click\nhttps://evil.example/a', failedResults: results });
  const published = aPost({ id: partly.postId, businessId, caption: 'Click\nhttps://evil.example/a' });
  gateway.services.posts.set(partly.postId, {
    ...published,
    publishResults: [...results, aFailedResult({ status: 'PUBLISH_RESULT_STATUS_SUCCESS' })],
  });
  const detail = 'No account is connected.';
  const inVain = aFailedPost(tenant, { failedResults: [], lastFailure: { errorType: 'permission_denied', detail, at: new Date() } });
  await emit(partly, inVain);
  gateway.services.posts.delete(inVain.postId);
  await untilNoticed(organizationId, 2);
  await untilDigestWritten(organizationId);

  const text = (await failuresTo(owner))[0]?.text ?? '';
  expect(text).toContain('2 posts failed');
  expect(text).toContain('“Click [link]”');
  expect(text).toContain('Facebook, Corner [link]: the platform does not accept the post in this form. Reason: See [link] now');
  expect(text).toContain('It was published to 1 other account.');
  expect(text).toContain('* A deleted post in');
  expect(text).toContain(`Every account: the account is not connected, or does not permit this. Reason: ${detail}`);
  expect(text).not.toContain('evil.example');
});

it('reports expired accounts that were not reconnected to owners', async () => {
  const tenant = await aTenant();
  const { organizationId, owner, manager } = tenant;
  const [expiredId, back, fixed] = [newId(), newId(), newId()];
  const expired = { status: 'INTEGRATION_STATUS_EXPIRED', revision: 2, lastError: 'The password was changed.' } as const;
  for (const id of [expiredId, back, fixed]) await emitAccount(tenant, { ...expired, id, displayName: `Bakery ${id}` });
  await untilNoticed(organizationId, 3);
  await emitAccount(tenant, { ...expired, id: expiredId, revision: 3, displayName: 'Bakery' });
  await emitAccount(tenant, { id: back, revision: 3 });
  await untilNoticed(organizationId, 2);
  // The event has not arrived yet.
  gateway.services.accounts.integrations.set(fixed, anIntegration({ id: fixed, businessId: tenant.businessId }));
  await untilDigestWritten(organizationId);
  const [mail, ...more] = await failuresTo(owner);
  expect(more).toEqual([]);
  expect(mail?.text).toContain('1 account needs to be reconnected in Mill.');
  expect(mail?.text).toContain('* Account Facebook Bakery in Café');
  expect(mail?.text).toContain('Reason: The password was changed.');
  expect(mail?.text).toContain(`/integrations/${expiredId}/reconnect`);
  expect(await failuresTo(manager)).toEqual([]);

  // Reconnected and expired again: there is a new notice.
  await emitAccount(tenant, { id: expiredId, revision: 4 });
  await untilNoticed(organizationId, 1);
  await emitAccount(tenant, { ...expired, id: expiredId, revision: 5 });
  await untilNoticed(organizationId, 2);
  await untilDigestWritten(organizationId);
  expect(await failuresTo(owner)).toHaveLength(2);
});

it('leaves out users who turned it off, who cannot sign in, and who are no longer members', async () => {
  const tenant = await aTenant();
  const { organizationId, owner, manager, editor, viewer } = tenant;
  const settings = async (person: Person) =>
    ((await (await person.call('GET', '/api/me')).json()) as Record<string, unknown>)['notifications'];
  expect(await settings(owner)).toEqual({ post_failed: true, account_expired: true });
  expect((await owner.call('PATCH', '/api/me', { notifications: { post_failed: false } })).status).toBe(200);
  expect(await settings(owner)).toEqual({ post_failed: false, account_expired: true });
  expect((await owner.call('DELETE', `/api/members/${editor.id}`)).status).toBe(200);
  await gateway.admin.disableUser({ userId: viewer.id, reason: 'Test', keepKeys: false }, admin);
  await gateway.context.db.collection<{ _id: string }>('users').updateOne({ _id: manager.id }, { $set: { email_verified: false } });

  await emit(...[editor, viewer, manager].map(({ id }) => aFailedPost(tenant, { author: `user:${id}` })));
  await untilNoticed(organizationId, 3);
  await untilDigestWritten(organizationId);
  for (const person of [owner, manager, editor, viewer]) expect(await failuresTo(person)).toEqual([]);

  // The other kind of mail is still on.
  await emitAccount(tenant, { status: 'INTEGRATION_STATUS_EXPIRED' });
  await emit(aFailedPost(tenant));
  await untilNoticed(organizationId, 5);
  await untilDigestWritten(organizationId);
  const [mail] = await failuresTo(owner);
  expect(mail?.text).toContain('1 account needs to be reconnected in Mill.');
  expect(mail?.text).not.toContain('Fresh bread');
});

it('has links to existing pages, and to one that turns these mails off', async () => {
  const tenant = await aTenant();
  const { organizationId, owner, editor } = tenant;
  await emitAccount(tenant, { status: 'INTEGRATION_STATUS_EXPIRED' });
  await emit(aFailedPost(tenant, { author: `user:${editor.id}` }));
  await untilNoticed(organizationId, 2);
  await untilDigestWritten(organizationId);
  const [mail] = await failuresTo(owner);
  expect(mail?.text).not.toContain('/api/');
  const links = [...(mail?.text ?? '').matchAll(/https:\/\/api\.example\.com(\/\S+)/g)].map(([, path = '']) => path);
  expect(links).toHaveLength(3);
  const open = (path: string, method = 'GET') => gateway.call(path, { method, key: null, headers: { accept: 'text/html' } });
  for (const path of links) expect((await open(path)).status).toBe(200);

  expect((await open(links.at(-1) ?? '', 'POST')).status).toBe(200);
  await emit(aFailedPost(tenant, { author: `user:${editor.id}` }));
  await untilNoticed(organizationId, 3);
  await untilDigestWritten(organizationId);
  expect(await failuresTo(owner)).toHaveLength(1);
  expect(await failuresTo(editor)).toHaveLength(2);
});

it('accepts settings by name, each true or false', async () => {
  const { owner } = await anOrganization(gateway);
  const wrong = async (notifications: object, param: string) =>
    expectProblem(await owner.call('PATCH', '/api/me', { notifications }), { status: 422, code: 'validation_failed', param });
  await wrong({ post_failed: 'no' }, 'notifications.post_failed');
  await wrong({ posts: false }, 'notifications.posts');
  await expectProblem(await owner.call('PATCH', '/api/me', { notifications: {} }), { status: 400, code: 'invalid_request' });
});

it('treats the creator of a key as the author of posts that the key created, within the organization of the key', async () => {
  const tenant = await aTenant();
  const other = await aTenant();
  const made = await tenant.manager.call('POST', '/api/keys', { organization_id: tenant.organizationId, name: 'Planner' });
  const { id } = (await made.json()) as { id: string };
  await emit(aFailedPost(tenant, { author: `key:${id}` }), aFailedPost(other, { author: `key:${id}` }));
  for (const { organizationId } of [tenant, other]) {
    await untilNoticed(organizationId, 1);
    await untilDigestWritten(organizationId);
  }
  expect(await failuresTo(tenant.manager)).toHaveLength(1);
  expect(await failuresTo(tenant.owner)).toHaveLength(1);
  expect(await failuresTo(other.owner)).toHaveLength(1);
});

it('contains nothing of another organization, whatever an event contains', async () => {
  const tenant = await aTenant();
  const other = await aTenant();
  const foreign = aFailedPost(other, { caption: 'Secret recipe' });
  await emit({ ...foreign, organizationId: tenant.organizationId, businessId: tenant.businessId });
  await untilNoticed(tenant.organizationId, 1);
  await untilDigestWritten(tenant.organizationId);
  const [mail] = await failuresTo(tenant.owner);
  expect(mail?.text).toContain('A deleted post');
  expect(mail?.text).not.toContain('Secret recipe');
  expect(await failuresTo(other.owner)).toEqual([]);
});

it('writes no mail for a suspended organization, nor about old failures', async () => {
  const [suspended, late] = [await aTenant(), await aTenant()];
  await gateway.admin.suspendOrganization({ organizationId: suspended.organizationId, reason: 'Unpaid' }, admin);
  const yesterday = new Date(Date.now() - 25 * 60 * 60_000);
  await emit(
    aFailedPost(suspended),
    aFailedPost(late, { failedResults: [aFailedResult({ updatedAt: yesterday })] }),
    aFailedPost(late, { caption: 'Of today' }),
  );
  for (const { organizationId } of [suspended, late]) {
    await untilNoticed(organizationId, 1);
    await untilDigestWritten(organizationId);
  }
  expect(await failuresTo(suspended.owner)).toEqual([]);
  expect((await failuresTo(late.owner))[0]?.text).toContain('1 post failed');
});

it('writes a digest once if a process crashes while writing it, or continues late', async () => {
  const tenant = await aTenant();
  const { organizationId, owner } = tenant;
  const { db } = gateway.context;
  await emit(aFailedPost(tenant));
  await untilNoticed(organizationId, 1);
  // Not due for the gateway's own loop, so that only this test leases it.
  await digests().updateOne({ _id: organizationId }, { $set: { _id: organizationId, run_at: new Date(8e15) } });
  const dead = await digests().findOne({ _id: organizationId });
  await digests().updateOne({ _id: organizationId }, { $inc: { fence: 1 } });
  await makeDue(organizationId);
  await eventually(async () => (await failuresTo(owner)).length === 1);
  await eventually(async () => (await digests().findOne({ _id: organizationId }))?.run_at === undefined);

  await expect(writeDigest(gateway.context, dead!)).rejects.toThrow(LeaseLost);
  expect(await failuresTo(owner)).toHaveLength(1);
  expect(await digestRows.leaseDue(db, 1_000)).toBeNull();
});

it('waits while a service is unavailable', async () => {
  const tenant = await aTenant();
  const { organizationId, owner } = tenant;
  await emit(aFailedPost(tenant));
  await untilNoticed(organizationId, 1);
  gateway.services.failures.set('getPost', new Error('unavailable'));
  await makeDue(organizationId);
  await eventually(() => !gateway.services.failures.has('getPost'));
  expect(await failuresTo(owner)).toEqual([]);
  await untilDigestWritten(organizationId);
  expect(await failuresTo(owner)).toHaveLength(1);
});

it('serves requests and is ready without Kafka, with a warning', async () => {
  const alone = await startGateway();
  expect((await alone.call('/api/businesses')).status).toBe(200);
  const response = await fetch(`http://127.0.0.1:${alone.server.adminPort}/readyz`);
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { status: 'ok', problems: {}, warnings: { events: 'is not connected to Kafka' } },
  ]);
  await alone.stop();
  const here = await fetch(`http://127.0.0.1:${gateway.server.adminPort}/readyz`);
  expect(await here.json()).toMatchObject({ warnings: {} });
});

test('the owners are mailed once when a webhook endpoint was disabled, and nobody else', async () => {
  const { organizationId, owner, editor } = await aTenant();
  const endpoint = { id: newId(), organizationId, revision: 3, url: 'https://hooks.example.com/secret-path', disabledReason: 'failing' };
  const data = EndpointDisabled.fromPartial({ endpoint, lastError: 'The endpoint responded with 500. See https://evil.example/' });
  const emission = { flowId: 'f', subject: endpoint.id, revision: 3, organizationId, businessId: '' };
  await peer.emit(topics.endpointDisabled, [{ emission, data }]);
  await peer.emit(topics.endpointDisabled, [{ emission: { ...emission, revision: 4 }, data }]);
  const another = EndpointDisabled.fromPartial({ endpoint: { ...endpoint, id: newId() }, lastError: 'The last one' });
  await peer.emit(topics.endpointDisabled, [{ emission, data: another }]);

  const mailsOf = async ({ email }: Person) => (await mailsTo(gateway, email)).filter(({ template }) => template === 'webhook_disabled');
  const mails = await eventually(async () => {
    const found = await mailsOf(owner);
    return found.some(({ text }) => text.includes('The last one')) && found.filter(({ text }) => !text.includes('The last one'));
  });
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toMatch(/failed for five days[\s\S]*responded with 500\. See \[link\][\s\S]*\/settings\/webhooks\//);
  expect(mails[0]?.text).not.toContain('secret-path');
  expect(await mailsOf(editor)).toEqual([]);
});
