import { topics } from '@fanfare/contracts';
import { CreateBusinessRequest, UpdateBusinessRequest } from '@fanfare/contracts/content';
import { CreateCategoryRequest, CreateTopicRequest } from '@fanfare/contracts/content/topics';
import { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { copyOf, eventually, findEverywhere } from '@fanfare/testing';
import { queueing } from './queues/queueing.ts';
import { aBusiness, startContent, type Call, type TestContent } from './running-content.ts';

let content: TestContent;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());

/** What changes by itself, soon after something else; timelines are checked by their chains. */
const MOVING = { except: ['outbox', 'inbox', 'migrations', 'risk_checks', 'ledger'] };
const LEFT = { except: ['tombstones'] };

/** A business with something in every collection. */
async function furnish(call: Call): Promise<void> {
  const { businessId } = call.call.metadata;
  const { client } = content;
  const { aQueue, put } = queueing({ content, call });
  await client.createBusiness(CreateBusinessRequest.fromPartial({ operationId: newId(), businessId, name: 'Bakery' }), call);
  const [integration = ''] = await content.connect(call, ['x']);
  const categoryId = newId();
  await client.createCategory(CreateCategoryRequest.fromPartial({ operationId: newId(), categoryId, name: 'Bread' }), call);
  await client.createTopic(CreateTopicRequest.fromPartial({ operationId: newId(), topicId: newId(), title: 'Rye', categoryId }), call);
  await aQueue();
  const waiting = await content.createPost(call);
  await put(waiting);
  const deleted = await content.createPost(call);
  await client.deletePost({ operationId: newId(), postId: deleted.id, expectedRevisions: [] }, call);
  const published = await content.createPost(call);
  await content.publishPost(call, published.id);
  // A risk check, and a change of media.
  const profile = { linkTracking: { utmSource: 'x' } as never };
  await client.updateBusiness(UpdateBusinessRequest.fromPartial({ operationId: newId(), businessId, profile }), call);
  await content.announce(
    Integration.fromPartial({ ...scopeOf(call), id: integration, platform: 'x', status: 'INTEGRATION_STATUS_EXPIRED' }),
    2,
  );
  await content.client.setClosure({ ...scopeOf(call), closed: true, revision: 1 }, call);
}

/** The account that has ended puts a post of each business at risk, which changes the post later. */
const untilReported = (businessIds: readonly string[]): Promise<true> =>
  eventually(async () => {
    const withRisks = await content.db
      .collection('posts')
      .countDocuments({ business_id: { $in: businessIds }, risks_told: { $exists: true } });
    return withRisks === businessIds.length;
  });

const scopeOf = ({ call: { metadata } }: Call) => ({ organizationId: metadata.organizationId, businessId: metadata.businessId });

async function erase(request: { organizationId: string; businessIds: string[]; wholeOrganization: boolean }, call: Call): Promise<void> {
  for (;;) if ((await content.client.erase(request, call)).done) return;
}

test('nothing of an erased business is left, late events bring nothing back, and others are untouched', async () => {
  const organizationId = newId();
  const [erased, sibling, stranger] = [aBusiness(organizationId), aBusiness(organizationId), aBusiness()];
  for (const call of [erased, sibling, stranger]) await furnish(call);
  const kept = [sibling, stranger].map((call) => scopeOf(call).businessId);
  await untilReported(kept);
  const before = await copyOf(content.db, kept, MOVING);
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['businesses', 'categories', 'closures', 'default_queues', 'integrations', 'posts', 'queues', 'topics']),
  );

  const { businessId } = scopeOf(erased);
  await erase({ organizationId, businessIds: [businessId], wholeOrganization: false }, erased);
  expect(await findEverywhere(content.db, [businessId], LEFT)).toEqual([]);
  expect(await copyOf(content.db, kept, MOVING)).toEqual(before);
  const { problems } = await content.client.verifyLedger({ organizationId, postId: undefined, pageToken: '' }, erased);
  expect(problems).toEqual([]);

  // Events that were on their way: of an account that reconnects, and of media.
  const emission = { ...scopeOf(erased), flowId: 'late' };
  const integration = Integration.fromPartial({ ...scopeOf(erased), id: newId(), platform: 'x', status: 'INTEGRATION_STATUS_CONNECTED' });
  const media = { ...scopeOf(erased), mediaId: newId(), revision: 2, change: 'MEDIA_CHANGE_DELETED' as const, media: undefined };
  await content.peer.emit(topics.integrationChanged, [
    { emission: { ...emission, subject: integration.id, revision: 9 }, data: { integration } },
  ]);
  await content.peer.emit(topics.mediaChanged, [{ emission: { ...emission, subject: media.mediaId, revision: 2 }, data: media }]);
  // Events of one topic are handled in order.
  const later = aBusiness();
  await content.connect(later, ['x']);
  await content.peer.emit(topics.mediaChanged, [
    {
      emission: { ...scopeOf(later), flowId: 'later', subject: newId(), revision: 1 },
      data: { ...media, ...scopeOf(later), mediaId: newId() },
    },
  ]);
  await eventually(
    async () => (await content.db.collection('media_news').countDocuments({ business_id: scopeOf(later).businessId })) === 1,
  );
  expect(await findEverywhere(content.db, [businessId], LEFT)).toEqual([]);

  // A repeat is harmless.
  expect(await content.client.erase({ organizationId, businessIds: [businessId], wholeOrganization: false }, erased)).toEqual({
    done: true,
    erased: 0,
    waitingFor: '',
  });
});

test('nothing of an erased organization is left', async () => {
  const organizationId = newId();
  const [first, second, stranger] = [aBusiness(organizationId), aBusiness(organizationId), aBusiness()];
  for (const call of [first, second, stranger]) await furnish(call);
  await untilReported([scopeOf(stranger).businessId]);
  const before = await copyOf(content.db, [scopeOf(stranger).organizationId], MOVING);
  const businessIds = [scopeOf(first).businessId, scopeOf(second).businessId];
  await erase({ organizationId, businessIds, wholeOrganization: true }, first);
  expect(await findEverywhere(content.db, [organizationId, ...businessIds], LEFT)).toEqual([]);
  expect(await copyOf(content.db, [scopeOf(stranger).organizationId], MOVING)).toEqual(before);
  expect(await content.db.collection('tombstones').countDocuments({ _id: { $in: [organizationId, ...businessIds] as never[] } })).toBe(3);
});

test('erasing requires an organization', async () => {
  const call = aBusiness();
  const request = { organizationId: '', businessIds: [], wholeOrganization: true };
  await expect(content.client.erase(request, call)).rejects.toMatchObject({ code: 'missing_field', param: 'organization_id' });
});
