import { randomUUID } from 'node:crypto';
import { eventually, startTcpProxy, type Direction, type TcpProxy } from '@fanfare/testing';
import type { ApiResponse, Api, PostBody } from '../src/api.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';

/** Another gateway takes over from a killed one that was started with it after a second. */
const LEASE = { IDEMPOTENCY_LEASE_MS: '1000' };

let platform: Platform;
let path: string;
/** Proxies between the gateway that is killed and the servers that it calls. */
let content: TcpProxy;
let mongo: TcpProxy;

beforeAll(async () => {
  platform = await borrowPlatform();
  path = `/api/businesses/${platform.tenant.business_id}/posts`;
  const settings = platform.settingsOf('gateway');
  content = await startTcpProxy(Number(new URL(`tcp://${settings['CONTENT_ADDRESS']}`).port));
  mongo = await startTcpProxy(Number(/:(\d+)/.exec(settings['MONGODB_URL']?.replace(/^.*@/, '') ?? '')?.[1]));
});
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

/** A gateway that reaches content and its database through the proxies. */
async function doomedGateway() {
  return platform.addGateway({
    ...LEASE,
    CONTENT_ADDRESS: `127.0.0.1:${content.port}`,
    MONGODB_URL: `mongodb://127.0.0.1:${mongo.port}/?directConnection=true`,
  });
}

/** Creates a post through a gateway, kills the gateway when that text is about to pass a proxy, and repeats the request at the other gateway. */
async function killAt(door: TcpProxy, direction: Direction, text: (request: PostRequest) => string) {
  return killWhen(door, (request) => door.blockAt(direction, text(request)));
}

interface PostRequest {
  readonly key: string;
  readonly caption: string;
}

/** @param hold resolves at the moment at which the gateway is killed */
async function killWhen(door: TcpProxy, hold: (request: PostRequest) => Promise<void>) {
  const request = { key: randomUUID(), caption: `Written down ${randomUUID()}` };
  const doomed = await doomedGateway();
  const reached = hold(request);
  const first = create(doomed.api, request.key, request.caption).catch(() => 'cut off');
  expect(await Promise.race([reached.then(() => 'blocked'), first])).toBe('blocked');
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

/** The response in the record: a member of a BSON document, of type string. */
const STORED_RESPONSE = '\u0002answer\0';

describe('a gateway is killed, and the repeated request creates exactly one post, if', () => {
  it('the record was not written yet', async () => {
    const { before, repeat } = await killAt(mongo, 'requests', ({ key }) => key);
    expect([before, replayed(repeat)]).toEqual([[], null]);
  });

  it('the record was written, and the gateway had not received the confirmation', async () => {
    const { before, repeat } = await killWhen(mongo, ({ key }) => mongo.blockResponseTo(key));
    expect([before, replayed(repeat)]).toEqual([[], null]);
  });

  it('content had not received the request', async () => {
    const { before, repeat } = await killAt(content, 'requests', ({ caption }) => caption);
    expect([before, replayed(repeat)]).toEqual([[], null]);
  });

  it('content had created the post, and the gateway had not received the response', async () => {
    const { before, after, repeat } = await killAt(content, 'responses', ({ caption }) => caption);
    expect([before, replayed(repeat)]).toEqual([after, null]);
  });

  it('the gateway had received the post, and had not stored the response', async () => {
    const { before, after, repeat } = await killAt(mongo, 'requests', () => STORED_RESPONSE);
    expect([before, replayed(repeat)]).toEqual([after, null]);
  });

  it('the response was stored, and had not reached the caller', async () => {
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

test('concurrent repeats that wait for a killed gateway create one post', async () => {
  const [key, caption] = [randomUUID(), 'Written down by many'];
  const doomed = await doomedGateway();
  const reached = content.blockAt('responses', caption);
  const first = create(doomed.api, key, caption).catch(() => undefined);
  await reached;
  const repeats = Array.from({ length: 10 }, () => create(platform.api, key, caption));
  await platform.kill(doomed.name);
  await first;
  content.release();
  const responses = await Promise.all(repeats);
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(responses.filter((response) => replayed(response) === null)).toHaveLength(1);
  expect(new Set(responses.map(({ body }) => body.id))).toEqual(new Set(await posts(caption)));
});

test('twenty concurrent requests through two gateways create one post and get nineteen replays', async () => {
  const { api } = await platform.addGateway(LEASE);
  const [key, caption] = [randomUUID(), 'Written down at once'];
  const responses = await Promise.all(Array.from({ length: 20 }, (_, at) => create(at % 2 ? api : platform.api, key, caption)));
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(responses.filter((response) => replayed(response) === 'true')).toHaveLength(19);
  expect(await posts(caption)).toEqual([responses[0]?.body.id]);
});

test('a caller that disconnects gets the post when it repeats the request', async () => {
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
