import { randomUUID } from 'node:crypto';
import { eventually, startTcpProxy, type Direction, type TcpProxy } from '@fanfare/testing';
import type { ApiResponse, Api, PostBody } from '../src/api.ts';
import { startPlatform, type Platform } from '../src/platform.ts';

/** A killed gateway is succeeded after a second. */
const LEASE = { IDEMPOTENCY_LEASE_MS: '1000' };

let platform: Platform;
let path: string;
/** Doors between the gateway that is killed and what it calls. */
let content: TcpProxy;
let mongo: TcpProxy;

beforeAll(async () => {
  platform = await startPlatform({ gateway: LEASE });
  path = `/api/businesses/${platform.tenant.business_id}/posts`;
  const settings = platform.settingsOf('gateway');
  content = await startTcpProxy(Number(new URL(`tcp://${settings['CONTENT_ADDRESS']}`).port));
  mongo = await startTcpProxy(Number(/:(\d+)/.exec(settings['MONGODB_URL']?.replace(/^.*@/, '') ?? '')?.[1]));
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await Promise.all([content.close(), mongo.close()]);
});

const create = (api: Api, key: string, caption: string) => api<PostBody>('POST', path, { caption }, { 'idempotency-key': key });
const replayed = ({ headers }: ApiResponse<unknown>) => headers.get('idempotency-replayed');

async function posts(caption: string): Promise<string[]> {
  const { body } = await platform.api<{ items: PostBody[] }>('GET', `${path}?limit=100`);
  return body.items.filter((post) => post.caption === caption).map(({ id }) => id);
}

/** A gateway whose ways to content and to its database lead through the doors. */
async function doomedGateway() {
  return platform.addGateway({
    ...LEASE,
    CONTENT_ADDRESS: `127.0.0.1:${content.port}`,
    MONGODB_URL: `mongodb://127.0.0.1:${mongo.port}/?directConnection=true`,
  });
}

/**
 * Creates a post through a gateway, kills it at the moment when that text is about to pass a door, and asks the other gateway for the same.
 */
async function killAt(door: TcpProxy, direction: Direction, text: (request: PostRequest) => string) {
  return killWhen(door, (request) => door.blockAt(direction, text(request)));
}

interface PostRequest {
  readonly key: string;
  readonly caption: string;
}

/** @param hold what is fulfilled at the moment when the gateway is killed */
async function killWhen(door: TcpProxy, hold: (request: PostRequest) => Promise<void>) {
  const request = { key: randomUUID(), caption: `Written down ${randomUUID()}` };
  const doomed = await doomedGateway();
  const reached = hold(request);
  const first = create(doomed.api, request.key, request.caption).catch(() => 'cut off');
  await reached;
  const before = await posts(request.caption);
  await platform.kill(doomed.name);
  expect(await first).toBe('cut off');
  door.release();

  const repeat = await create(platform.api, request.key, request.caption);
  const again = await create(platform.api, request.key, request.caption);
  expect([repeat.status, again.status, replayed(again)]).toEqual([201, 201, 'true']);
  expect(again.body).toEqual(repeat.body);
  const after = await posts(request.caption);
  expect(after).toEqual([repeat.body.id]);
  return { before, after, repeat };
}

/** How the response is written into the record: a member of a BSON document, of type string. */
const STORED_ANSWER = '\u0002answer\0';

describe('a gateway is killed, and the repeat makes exactly one post, when', () => {
  it('the record was not written yet', async () => {
    const { before, repeat } = await killAt(mongo, 'requests', ({ key }) => key);
    expect([before, replayed(repeat)]).toEqual([[], null]);
  });

  it('the record was written, and the gateway had not heard of it', async () => {
    const { before, repeat } = await killWhen(mongo, ({ key }) => mongo.blockResponseTo(key));
    expect([before, replayed(repeat)]).toEqual([[], null]);
  });

  it('content had not heard of the post', async () => {
    const { before, repeat } = await killAt(content, 'requests', ({ caption }) => caption);
    expect([before, replayed(repeat)]).toEqual([[], null]);
  });

  it('content had made the post, and the gateway had not heard of it', async () => {
    const { before, after, repeat } = await killAt(content, 'responses', ({ caption }) => caption);
    expect([before, replayed(repeat)]).toEqual([after, null]);
  });

  it('the gateway knew of the post, and had not written the response down', async () => {
    const { before, after, repeat } = await killAt(mongo, 'requests', () => STORED_ANSWER);
    expect([before, replayed(repeat)]).toEqual([after, null]);
  });

  it('the response was written down, and had not reached the caller', async () => {
    const doomed = await doomedGateway();
    const door = await startTcpProxy(Number(new URL(doomed.baseUrl).port));
    const [key, caption] = [randomUUID(), `Written down ${randomUUID()}`];
    const reached = door.blockAt('responses', caption);
    const first = fetch(`http://127.0.0.1:${door.port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platform.tenant.api_key}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ caption }),
    }).catch(() => 'cut off');
    await reached;
    await platform.kill(doomed.name);
    expect(await first).toBe('cut off');
    const repeat = await create(platform.api, key, caption);
    expect([repeat.status, replayed(repeat)]).toEqual([201, 'true']);
    expect(await posts(caption)).toEqual([repeat.body.id]);
    await door.close();
  });
});

test('repeats that wait for a gateway which is killed make one post between them', async () => {
  const [key, caption] = [randomUUID(), 'Written down by many'];
  const doomed = await doomedGateway();
  const reached = content.blockAt('responses', caption);
  const first = create(doomed.api, key, caption).catch(() => undefined);
  await reached;
  const repeats = Array.from({ length: 10 }, () => create(platform.api, key, caption));
  await platform.kill(doomed.name);
  await first;
  content.release();
  const answers = await Promise.all(repeats);
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(answers.filter((response) => replayed(response) === null)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body.id))).toEqual(new Set(await posts(caption)));
});

test('twenty at once, through two gateways, make one post and nineteen replays', async () => {
  const { api } = await platform.addGateway(LEASE);
  const [key, caption] = [randomUUID(), 'Written down at once'];
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => create(at % 2 ? api : platform.api, key, caption)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(answers.filter((response) => replayed(response) === 'true')).toHaveLength(19);
  expect(await posts(caption)).toEqual([answers[0]?.body.id]);
});

test('a caller who hangs up finds the post when it asks again', async () => {
  const doomed = await doomedGateway();
  const [key, caption] = [randomUUID(), 'Written down for nobody'];
  const reached = content.blockAt('requests', caption);
  const hangUp = new AbortController();
  const first = fetch(doomed.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.tenant.api_key}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ caption }),
    signal: hangUp.signal,
  });
  await reached;
  hangUp.abort();
  await expect(first).rejects.toThrow();
  content.release();
  await eventually(async () => (await posts(caption)).length === 1);
  const repeat = await create(platform.api, key, caption);
  expect([repeat.status, replayed(repeat)]).toEqual([201, 'true']);
  expect(await posts(caption)).toEqual([repeat.body.id]);
});
