import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { aClockedOrganization, PATH, type Clock } from '../clocked-organization.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { signedIn } from '../signed-in.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** More than any test takes. */
const SOON_MS = 2 * MINUTE_MS;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const anOrganization = () => aClockedOrganization(gateway);
const close = (time: string, to: number) => Math.abs(Date.parse(time) - to) < SOON_MS;

describe('GET', () => {
  it('returns real time before the clock is moved', async () => {
    const { read } = await anOrganization();
    const clock = await read();
    expect(clock).toMatchObject({ status: 'ready', target: null, ahead_by_ms: 0 });
    expect(close(clock.now, Date.now())).toBe(true);
  });
});

describe('POST', () => {
  it('advances to a time, and by a duration from there, and not that of another organization', async () => {
    const [{ read, advance, untilReady }, other] = [await anOrganization(), await anOrganization()];
    const target = new Date(Date.now() + 30 * DAY_MS).toISOString();
    const response = await advance({ advance_to: target });
    expect(response.status).toBe(202);
    expect(response.headers.get('location')).toBe(`https://api.example.com${PATH}`);
    expect(await response.json()).toMatchObject({ status: 'advancing', target });
    const first = await untilReady();
    expect(first).toMatchObject({ target: null });
    expect(Date.parse(first.now)).toBeGreaterThanOrEqual(Date.parse(target));
    expect(close(first.now, Date.parse(target))).toBe(true);

    expect((await advance({ advance_by: 'P1DT2H' })).status).toBe(202);
    const second = await untilReady();
    expect(close(second.now, Date.parse(first.now) + DAY_MS + 2 * HOUR_MS)).toBe(true);
    expect(close(new Date(Date.now() + second.ahead_by_ms).toISOString(), Date.parse(second.now))).toBe(true);
    expect(Date.parse((await read()).now)).toBeGreaterThanOrEqual(Date.parse(second.now));
    expect((await other.read()).ahead_by_ms).toBe(0);
  });

  it('stops at the time of each post, and does other work a little later, at the latest at the end', async () => {
    const { advance, untilReady } = await anOrganization();
    const { clock } = gateway.services;
    clock.done.length = 0;
    const start = Date.now();
    const at = (day: number) => new Date(start + day * DAY_MS);
    clock.stops = [at(10), at(20.5), at(20.6)];
    clock.due = [at(3), at(10.1), at(59.9), at(70)];
    await advance({ advance_to: at(60).toISOString() });
    await untilReady();

    const posts = clock.done.filter(({ what }) => what === 'post');
    expect(posts.map(({ dueAt }) => dueAt)).toEqual([at(10), at(20.5), at(20.6)]);
    for (const { dueAt, at: doneAt } of posts) expect(doneAt.getTime() - dueAt.getTime()).toBeLessThan(SOON_MS);
    const others = clock.done.filter(({ what }) => what === 'other');
    expect(others.map(({ dueAt }) => dueAt)).toEqual([at(3), at(10.1), at(59.9)]);
    for (const { dueAt, at: doneAt } of others) expect(doneAt.getTime() - dueAt.getTime()).toBeLessThan(5 * DAY_MS + SOON_MS);
    expect(clock.done.map(({ at: time }) => time.getTime())).toEqual(
      clock.done.map(({ at: time }) => time.getTime()).sort((a, b) => a - b),
    );
    [clock.stops, clock.due] = [[], []];
  });

  it('is not ready before all services have the last time', async () => {
    const { advance, untilReady } = await anOrganization();
    const { clock } = gateway.services;
    clock.advances.length = 0;
    await advance({ advance_by: 'P1D' });
    const { ahead_by_ms } = await untilReady();
    const last = clock.advances.filter(({ aheadMs }) => aheadMs === ahead_by_ms).map(({ by }) => by);
    expect(last.sort()).toEqual(['analytics', 'content', 'generation', 'library', 'publisher', 'webhooks']);
  });

  it.each(['content', 'publisher', 'webhooks', 'analytics'] as const)('waits while %s has open work', async (service) => {
    const { read, advance, untilReady } = await anOrganization();
    const { clock, calls } = gateway.services;
    clock.open.add(service);
    await advance({ advance_by: 'P1D' });
    const looks = () => calls.filter(({ method }) => method === `getTestClockWork ${service}`).length;
    const before = looks();
    await eventually(() => looks() > before + 3);
    const waiting = await read();
    expect(waiting.status).toBe('advancing');
    expect(close(waiting.now, Date.now())).toBe(true);
    clock.open.delete(service);
    await untilReady();
  });

  it('waits until all services have handled the events of all others', async () => {
    const { read, advance, untilReady } = await anOrganization();
    const { clock, calls } = gateway.services;
    const [first, second] = [newId(), newId()];
    clock.unhandled.set(first, { id: first, topic: 'content.posts' });
    await advance({ advance_by: 'P1D' });
    const requestsFor = (id: string) =>
      calls.filter(({ request }) => (request as { events?: { id: string }[] }).events?.some((event) => event.id === id));
    await eventually(() => requestsFor(first).length > 4);
    // Handling an event emits another one.
    clock.unhandled.set(second, { id: second, topic: 'content.posts' });
    clock.unhandled.delete(first);
    await eventually(() => requestsFor(second).length > 4);
    expect((await read()).status).toBe('advancing');
    clock.unhandled.delete(second);
    await untilReady();
    const settled = calls.flatMap(({ request }) => (request as { settledEventIds?: string[] }).settledEventIds ?? []);
    expect(settled).toEqual(expect.arrayContaining([first, second]));
  });

  it('waits for a service that is unavailable', async () => {
    const { advance, untilReady } = await anOrganization();
    for (const method of ['advanceTestClock publisher', 'getTestClockWork webhooks'])
      gateway.services.failures.set(method, new Error('It does not respond.'));
    await advance({ advance_by: 'P1D' });
    await untilReady();
    expect(gateway.services.failures.size).toBe(0);
  });

  it('a repeat with the same Idempotency-Key advances only once, and returns the same', async () => {
    const { advance, untilReady } = await anOrganization();
    const key = { 'idempotency-key': newId() };
    const first = await (await advance({ advance_by: 'PT1H' }, key)).json();
    const { ahead_by_ms } = await untilReady();
    const repeat = await advance({ advance_by: 'PT1H' }, key);
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    expect(await repeat.json()).toEqual(first);
    expect((await untilReady()).ahead_by_ms).toBe(ahead_by_ms);
  });

  it('continues in another gateway if the one that advances it stops', async () => {
    const { advancedByAnother, untilReady, read } = await anOrganization();
    const { clock } = gateway.services;
    clock.open.add('content');
    const target = new Date(Date.now() + 5 * DAY_MS).toISOString();
    const second = await advancedByAnother(target);
    await second.stop();
    expect((await read()).status).toBe('advancing');
    clock.open.delete('content');
    expect(close((await untilReady()).now, Date.parse(target))).toBe(true);
  });
});

describe('rejects', () => {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  it.each([
    ['a time that has passed', () => ({ advance_to: inDays(-1) }), 400, 'invalid_value', 'advance_to'],
    ['an advance of 50 years', () => ({ advance_by: 'P50Y' }), 400, 'invalid_value', 'advance_by'],
    ['a time in 50 years', () => ({ advance_to: inDays(50 * 365) }), 400, 'invalid_value', 'advance_to'],
    ['more years than there are', () => ({ advance_by: 'P999999999Y' }), 400, 'invalid_value', 'advance_by'],
    ['a day more than two years', () => ({ advance_by: 'P2Y1D' }), 400, 'invalid_value', 'advance_by'],
    ['no time at all', () => ({ advance_by: 'PT0S' }), 400, 'invalid_value', 'advance_by'],
    ['both fields', () => ({ advance_to: inDays(1), advance_by: 'P1D' }), 400, 'invalid_request', 'advance_by'],
    ['neither field', () => ({}), 400, 'missing_field', 'advance_to'],
    ['a negative duration', () => ({ advance_by: '-P1D' }), 422, 'validation_failed', 'advance_by'],
    ['words', () => ({ advance_by: 'a day' }), 422, 'validation_failed', 'advance_by'],
    ['a number', () => ({ advance_by: 3600 }), 422, 'validation_failed', 'advance_by'],
    ['a duration of nothing', () => ({ advance_by: 'P' }), 422, 'validation_failed', 'advance_by'],
    ['hours without a T', () => ({ advance_by: 'P1H' }), 422, 'validation_failed', 'advance_by'],
    ['what is no time', () => ({ advance_to: '2027-02-30T00:00:00Z' }), 422, 'validation_failed', 'advance_to'],
    ['an unknown field', () => ({ advance_by: 'P1D', freeze: true }), 422, 'validation_failed', 'freeze'],
  ])('%s, and changes nothing', async (_what, body, status, code, param) => {
    const { read, advance } = await anOrganization();
    await expectProblem(await advance(body()), { status, code, param });
    expect(await read()).toMatchObject({ status: 'ready', ahead_by_ms: 0 });
  });

  it('a time before that of the clock, even if it is still to come', async () => {
    const { advance, untilReady } = await anOrganization();
    await advance({ advance_by: 'P10D' });
    const { ahead_by_ms } = await untilReady();
    await expectProblem(await advance({ advance_to: inDays(9) }), { status: 400, code: 'invalid_value', param: 'advance_to' });
    expect((await untilReady()).ahead_by_ms).toBe(ahead_by_ms);
  });

  it('an advance while one is under way', async () => {
    const { advance, untilReady } = await anOrganization();
    const { clock } = gateway.services;
    clock.open.add('publisher');
    const { target } = (await (await advance({ advance_by: 'P1D' })).json()) as Clock;
    await expectProblem(await advance({ advance_by: 'P2D' }), { status: 409, code: 'conflict', param: 'advance_by' });
    await expectProblem(await advance({ advance_to: inDays(3) }), { status: 409, code: 'conflict', param: 'advance_to' });
    clock.open.delete('publisher');
    expect(close((await untilReady()).now, Date.parse(target ?? ''))).toBe(true);
  });

  it('an organization in live mode', async () => {
    const { organization } = await gateway.admin.createOrganization({ name: 'Live', plan: 'roomy', mode: 'ORGANIZATION_MODE_LIVE' }, admin);
    const { apiKey: key } = await gateway.admin.createApiKey({ organizationId: organization?.id ?? '', name: 'live' }, admin);
    const problem = { status: 403, code: 'permission_denied', param: 'organization_id' };
    await expectProblem(await gateway.call(PATH, { key }), problem);
    const body = JSON.stringify({ advance_by: 'P1D' });
    const post = { key, method: 'POST', body, headers: { 'content-type': 'application/json' } };
    await expectProblem(await gateway.call(PATH, post), problem);
    expect(await gateway.context.db.collection<{ _id: string }>('test_clocks').findOne({ _id: organization?.id ?? '' })).toBeNull();
  });

  it('an editor, who may only read it', async () => {
    const key = await signedIn(gateway, { [gateway.organizationId]: 'editor' });
    expect((await gateway.call(PATH, { key })).status).toBe(200);
    const body = JSON.stringify({ advance_by: 'P1D' });
    const response = await gateway.call(PATH, { key, method: 'POST', body, headers: { 'content-type': 'application/json' } });
    await expectProblem(response, { status: 403, code: 'permission_denied' });
  });
});

test('Idempotency-Keys expire by the clock of the organization', async () => {
  const { key, advance, untilReady } = await anOrganization();
  const send = async (idempotencyKey: string) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    const response = await gateway.call('/api/feedback', { key, method: 'POST', body: JSON.stringify({ message: 'Hello' }), headers });
    expect(response.status).toBe(201);
    return { replayed: response.headers.get('idempotency-replayed'), id: ((await response.json()) as { id: string }).id };
  };
  const [kept, before] = [newId(), newId()];
  const first = await send(before);
  await advance({ advance_by: 'PT23H' });
  await untilReady();
  const second = await send(kept);
  expect(await send(before)).toEqual({ replayed: 'true', id: first.id });
  await advance({ advance_by: 'PT2H' });
  await untilReady();
  const again = await send(before);
  expect(again.replayed).toBeNull();
  expect(again.id).not.toBe(first.id);
  expect(await send(kept)).toEqual({ replayed: 'true', id: second.id });
});
