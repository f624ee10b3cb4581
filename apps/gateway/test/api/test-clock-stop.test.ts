import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { requestStop, type TestClockDocument } from '../../src/test-clock/store/test-clocks.ts';
import { aClockedOrganization, PATH, type Clock } from '../clocked-organization.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const JSON_TYPE = { 'content-type': 'application/json' };

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());
afterEach(() => {
  const { clock } = gateway.services;
  [clock.stops, clock.due] = [[], []];
  clock.done.length = 0;
  clock.open.clear();
});

const bodyOf = async (response: Response) => (await response.json()) as Clock;

/** An advance by a year, with a post in every minute of it, in an organization of its own; some posts are published already. */
async function aLongAdvance() {
  const organization = await aClockedOrganization(gateway);
  const { clock } = gateway.services;
  const begin = Date.now();
  const minutes = Array.from({ length: 5_000 }, (_, index) => new Date(begin + (index + 1) * MINUTE_MS));
  clock.stops = [...minutes];
  clock.due = [new Date(begin + 90_000)];
  const { target } = await bodyOf(await organization.advance({ advance_by: 'P1Y' }));
  const published = () => clock.done.filter(({ what }) => what === 'post').map(({ dueAt }) => dueAt);
  await eventually(() => published().length > 3);
  return { ...organization, minutes, published, goal: target ?? '' };
}

it('ends an advance where the clock is: what is due until then is done, once, and nothing that is due later', async () => {
  const { read, stop, advance, untilReady, minutes, published, goal } = await aLongAdvance();
  const response = await stop();
  expect(response.status).toBe(202);
  expect(response.headers.get('location')).toBe(`https://api.example.com${PATH}`);
  const stopped = await bodyOf(response);
  expect(stopped.status).toBe('advancing');
  expect(Date.parse(stopped.target ?? '')).toBeLessThan(Date.parse(goal));
  const ready = await untilReady();
  expect(ready).toMatchObject({ target: null, advancing_from: null, advancing_since: null });
  expect(Date.parse(ready.now)).toBeGreaterThanOrEqual(Date.parse(stopped.target ?? ''));
  expect(Date.parse(ready.now)).toBeLessThan(Date.parse(goal));

  const done = published();
  expect(done).toEqual(minutes.slice(0, done.length));
  const isDue = (at: Date | undefined, until: string | null) => (at?.getTime() ?? Infinity) <= Date.parse(until ?? '');
  expect(isDue(minutes[done.length], stopped.target)).toBe(false);
  expect(isDue(done.at(-1), ready.now)).toBe(true);
  // On the way it would have been done only when it is late by a day.
  const others = gateway.services.clock.done.filter(({ what }) => what === 'other');
  expect(others).toHaveLength(1);
  expect(others[0]?.at.getTime()).toBeGreaterThanOrEqual(Date.parse(stopped.target ?? ''));

  expect((await advance({ advance_by: 'PT10M' })).status).toBe(202);
  await untilReady();
  const more = published();
  expect(more.length).toBeGreaterThan(done.length + 8);
  expect(more).toEqual(minutes.slice(0, more.length));
  expect((await read()).status).toBe('ready');
});

it('finishes the work that is open', async () => {
  const organization = await aClockedOrganization(gateway);
  const { clock } = gateway.services;
  clock.open.add('publisher');
  await organization.advance({ advance_by: 'P30D' });
  const first = await bodyOf(await organization.stop());
  expect(first.status).toBe('advancing');
  const second = await bodyOf(await organization.stop());
  expect(second).toMatchObject({ status: 'advancing', target: first.target });
  clock.open.delete('publisher');
  const ready = await organization.untilReady();
  expect(Date.parse(ready.now)).toBeLessThan(Date.now() + DAY_MS);
});

it('changes nothing of a clock that is ready, or was never advanced', async () => {
  const { read, stop, advance, untilReady } = await aClockedOrganization(gateway);
  const nothing = { status: 'ready', target: null, ahead_by_ms: 0 };
  const response = await stop();
  expect([response.status, await response.json()]).toEqual([202, expect.objectContaining(nothing)]);
  expect(await read()).toMatchObject(nothing);
  await advance({ advance_by: 'P1D' });
  const { ahead_by_ms } = await untilReady();
  for (let count = 0; count < 2; count++) expect(await bodyOf(await stop())).toMatchObject({ ...nothing, ahead_by_ms });
  expect(await read()).toMatchObject({ ...nothing, ahead_by_ms });
  const { target } = await bodyOf(await advance({ advance_by: 'P1D' }));
  expect(Date.parse((await untilReady()).now)).toBeGreaterThanOrEqual(Date.parse(target ?? ''));
});

it('a repeat with the same Idempotency-Key does not stop the next advance, even if the first response was lost', async () => {
  const { stop, advance, untilReady, read } = await aClockedOrganization(gateway);
  const { clock } = gateway.services;
  clock.open.add('content');
  await advance({ advance_by: 'P1D' });
  const repeated = { 'idempotency-key': newId() };
  const first = await bodyOf(await stop(repeated));
  clock.open.delete('content');
  await untilReady();
  clock.open.add('content');
  const { target } = await bodyOf(await advance({ advance_by: 'P2D' }));
  const replay = await stop(repeated);
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
  expect(await bodyOf(replay)).toEqual(first);
  // As if the gateway had died before it stored the response: another one carries out the operation again.
  const { db } = gateway.context;
  const row = await db.collection<TestClockDocument>('test_clocks').findOne({ target_at: new Date(target ?? '') });
  const [, operationId] = row?.operation_ids ?? [];
  expect((await requestStop(db, row?._id ?? '', operationId ?? ''))?.target_at?.toISOString()).toBe(target);
  expect(await read()).toMatchObject({ status: 'advancing', target });
  clock.open.delete('content');
  await untilReady();
});

it('is carried out by another gateway if the one that advances the clock stops', async () => {
  const { advancedByAnother, stop, untilReady, read } = await aClockedOrganization(gateway);
  const { clock } = gateway.services;
  clock.open.add('content');
  const second = await advancedByAnother(new Date(Date.now() + 5 * DAY_MS).toISOString());
  await stop();
  await second.stop();
  expect((await read()).status).toBe('advancing');
  clock.open.delete('content');
  expect(Date.parse((await untilReady()).now)).toBeLessThan(Date.now() + DAY_MS);
});

it('does not stop the clock of another organization', async () => {
  const [{ read, advance, untilReady }, other] = [await aClockedOrganization(gateway), await aClockedOrganization(gateway)];
  const { clock } = gateway.services;
  clock.open.add('content');
  const { target } = await bodyOf(await advance({ advance_by: 'P3D' }));
  expect(await bodyOf(await other.stop())).toMatchObject({ status: 'ready', ahead_by_ms: 0 });
  expect(await read()).toMatchObject({ status: 'advancing', target });
  clock.open.delete('content');
  expect(Date.parse((await untilReady()).now)).toBeGreaterThanOrEqual(Date.parse(target ?? ''));
});

describe('rejects', () => {
  it('an organization in live mode', async () => {
    const { organization } = await gateway.admin.createOrganization({ name: 'Live', plan: 'roomy', mode: 'ORGANIZATION_MODE_LIVE' }, admin);
    const { apiKey: key } = await gateway.admin.createApiKey({ organizationId: organization?.id ?? '', name: 'live' }, admin);
    const response = await gateway.call(`${PATH}/stop`, { key, method: 'POST', body: '{}', headers: JSON_TYPE });
    await expectProblem(response, { status: 403, code: 'permission_denied', param: 'organization_id' });
  });

  it('an editor, who may only read the clock', async () => {
    const key = await signedIn(gateway, { [gateway.organizationId]: 'editor' });
    const response = await gateway.call(`${PATH}/stop`, { key, method: 'POST', body: '{}', headers: JSON_TYPE });
    await expectProblem(response, { status: 403, code: 'permission_denied' });
  });
});

test('a clock that is being advanced shows where and when it began, so that its progress can be computed', async () => {
  const { read, advance, untilReady } = await aClockedOrganization(gateway);
  expect(await read()).toMatchObject({ advancing_from: null, advancing_since: null });
  await advance({ advance_by: 'P10D' });
  const { now: from } = await untilReady();
  gateway.services.clock.open.add('content');
  const requested = await bodyOf(await advance({ advance_by: 'P1D' }));
  const clock = await read();
  expect(clock).toMatchObject({ status: 'advancing', advancing_from: requested.advancing_from, target: requested.target });
  const at = (time: string | null) => Date.parse(time ?? '');
  expect(at(clock.target) - at(clock.advancing_from)).toBe(DAY_MS);
  expect(at(clock.advancing_from)).toBeGreaterThanOrEqual(at(from));
  expect(at(clock.now)).toBeGreaterThanOrEqual(at(clock.advancing_from));
  // In real time, ten days before that of the clock.
  expect(Math.abs(at(clock.advancing_since) - Date.now())).toBeLessThan(2 * MINUTE_MS);
  gateway.services.clock.open.delete('content');
  await untilReady();
});
