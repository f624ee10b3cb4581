import { newId } from '@fanfare/runtime';
import { callAs, copyOf, eventually, findEverywhere } from '@fanfare/testing';
import { aDesign, aJob, startGeneration, type Call, type TestGeneration } from './running-generation.ts';

let generation: TestGeneration;
beforeAll(async () => {
  generation = await startGeneration();
});
afterAll(() => generation.stop());

const LEFT = { except: ['tombstones'] };
const MOVING = { except: ['outbox', 'inbox', 'migrations'] };
const scopeOf = ({ call: { metadata } }: Call) => ({ organizationId: metadata.organizationId, businessId: metadata.businessId });
const PAGE = { background: 'primary', layers: [{ kind: 'logo', id: 'logo' }], boxes: { default: { logo: [5, 5, 20, 20] } } };

/** A business with something in every collection. */
async function furnish(call: Call): Promise<void> {
  const { client } = generation;
  const job = await generation.createJob(call);
  await generation.ended(call, job.id);
  const { design } = await client.createDesign(aDesign(), call);
  await client.deleteDesign({ operationId: newId(), designId: design?.id ?? '', expectedRevisions: [] }, call);
  await client.createDesign(aDesign(), call);
  await client.createTemplate({ templateId: newId(), definition: { name: 'Mine', format: 'design', page: PAGE } }, call);
}

test('nothing of an erased business is left, others are untouched, and a running job makes nothing more', async () => {
  const erased = generation.aBusiness();
  const sibling = callAs({ organizationId: scopeOf(erased).organizationId, businessId: newId() });
  generation.content.add({ id: scopeOf(sibling).businessId, organizationId: scopeOf(sibling).organizationId });
  const stranger = generation.aBusiness();
  for (const call of [erased, sibling, stranger]) await furnish(call);
  await eventually(async () => (await generation.db.collection('outbox').countDocuments()) === 0);
  await eventually(async () => (await generation.db.collection('uploads').countDocuments()) === 0);
  const kept = [sibling, stranger].map((call) => scopeOf(call).businessId);
  const before = await copyOf(generation.db, kept, MOVING);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['designs', 'jobs', 'templates']));

  const running = aJob({ count: 5 });
  await generation.client.createJob(running, erased);
  const { organizationId, businessId } = scopeOf(erased);
  const request = { organizationId, businessIds: [businessId], wholeOrganization: false };
  expect((await generation.client.erase(request, erased)).done).toBe(true);
  // The process that works on the job finds that its lease is lost.
  await expect(generation.job(erased, running.jobId)).rejects.toMatchObject({ code: 'resource_not_found' });
  await eventually(async () => (await generation.client.erase(request, erased)).erased === 0);
  expect(await findEverywhere(generation.db, [businessId, running.jobId], LEFT)).toEqual([]);
  expect(await copyOf(generation.db, kept, MOVING)).toEqual(before);
});

test('nothing of an erased organization is left, also not what it has used', async () => {
  const call = generation.aBusiness();
  await furnish(call);
  const { organizationId, businessId } = scopeOf(call);
  expect(await generation.db.collection('usage').countDocuments({ _id: new RegExp(`^${organizationId}:`) as never })).toBe(1);
  const request = { organizationId, businessIds: [businessId], wholeOrganization: true };
  expect((await generation.client.erase(request, call)).done).toBe(true);
  expect(await findEverywhere(generation.db, [organizationId, businessId], LEFT)).toEqual([]);
});
