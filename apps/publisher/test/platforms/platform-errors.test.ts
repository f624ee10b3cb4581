import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  connectorFor,
  createPlatformClient,
  loginNamesOf,
  PLATFORMS,
  type Account,
  type Content,
  type ContentMedia,
  type LoginName,
  type Platform,
  type PlatformClient,
  type PlatformFailure,
} from '@fanfare/connectors';
import { startRealSandbox, type RealSandbox } from '@fanfare/infra';
import { deadlineIn } from '@fanfare/runtime';
import sharp from 'sharp';
import { decide } from '../../src/deliveries/domain/decide.ts';
import { ERROR_TYPES } from '../../src/deliveries/domain/error-type.ts';
import { connectAtSandbox } from '../../../../libs/connectors/test/connect-at-sandbox.ts';
import { errorsOf, requiredOptions, type Errors } from '../../../../libs/connectors/test/errors.ts';

// The sandbox returns each error of each platform's documentation to the call that would publish. The test checks how the engine handles it, and when
// it retries.

/** The engine's retry delay after a first failure. */
const FIRST_DELAY_MS = 1_000;
const first = { failures: 0, unsent: 0, refreshed: false, committedBefore: false, dueForMs: 0, jitter: 1 };

let sandbox: RealSandbox;
let client: PlatformClient;
let web: Server;
const media = new Map<string, ContentMedia>();

beforeAll(async () => {
  sandbox = await startRealSandbox();
  client = createPlatformClient({ baseUrl: sandbox.url, timeoutMs: 20_000 });
  const image = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#c8562b' } })
    .jpeg()
    .toBuffer();
  const reel = readFileSync('apps/sandbox/test/fixtures/reel.mp4');
  web = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' });
    response.end(request.method === 'HEAD' ? undefined : image);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const publicUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}/1.jpg`;
  const read = (bytes: Buffer) => async (from: number, to: number) => bytes.subarray(from, to + 1);
  const picked = { id: '1', type: 'image', mimeType: 'image/jpeg', width: 600, height: 600, altText: '', publicUrl } as const;
  media.set('image', { ...picked, sizeBytes: image.length, read: read(image) });
  const upright = { type: 'video', mimeType: 'video/mp4', width: 540, height: 960, durationMs: 3_000 } as const;
  media.set('reel', { ...picked, ...upright, sizeBytes: reel.length, read: read(reel) });
});
afterAll(async () => {
  await client.close();
  await new Promise((resolve) => (web.close(resolve), web.closeAllConnections()));
  await sandbox.stop();
});

const ways: [string, { name: Platform; login?: LoginName }][] = [
  ...PLATFORMS.map((name): (typeof ways)[number] => [name, { name }]),
  ...PLATFORMS.flatMap((name) =>
    loginNamesOf(name)
      .slice(1)
      .map((login): (typeof ways)[number] => [`${name}, by its login ${login}`, { name, login }]),
  ),
];

describe.each(ways)('%s', (_way, { name, login }) => {
  const { commit: published, rows } = errorsOf(name);
  let commit: () => Promise<unknown>;

  beforeAll(async () => {
    commit = await uptoCommit(name, await connectAtSandbox(client, name, { login }), published);
  });
  afterEach(() => sandbox.clearFaults());

  test.each(rows.map((row) => [row.status, JSON.stringify(row.body), row.ends, row] as const))(
    '%d %s: %s',
    async (_status, _body, ends, row) => {
      const { status, body, headers, times, waitMs = FIRST_DELAY_MS } = row;
      await sandbox.fault(published.operation, { type: 'status', status, body, ...(headers && { headers }) }, times);
      const failure = (await commit().catch((error: unknown) => error)) as PlatformFailure;
      expect(failure).toMatchObject({ name: 'PlatformFailure', effect: ends === 'reconciles' ? 'unknown' : 'rejected' });
      if (ends === 'reconciles') return;
      const decision = decide(failure, first);
      if (ends === 'waits') expect(decision).toEqual({ kind: 'retry', inMs: waitMs });
      else if (ends === 'token_expired') expect(decision).toEqual({ kind: 'refresh_token' });
      else expect(decision).toEqual({ kind: 'fail', errorType: ERROR_TYPES[ends] });
      if (ends === 'token_expired') expect(decide(failure, { ...first, refreshed: true })).toEqual({ kind: 'fail', errorType: ends });
    },
  );
});

/** Prepares a post and stops before the call that would publish it, which can then be retried as often as it is rejected. */
async function uptoCommit(platform: Platform, account: Account, published: Errors['commit']) {
  const connector = connectorFor(platform);
  const call = () => ({ http: client.http(platform, deadlineIn(20_000)), account });
  const chosen = media.get(published.media ?? '');
  const options = await requiredOptions(connector, published, call());
  const content: Content = { caption: 'Rejected', media: chosen ? [chosen] : [], options };
  for (let state = {}; ;) {
    const next = connector.publish.next(content, state);
    if ('published' in next) throw new Error(`${platform} published without a commit`);
    const { step } = next;
    if (step.kind === 'commit') return () => step.run(call());
    ({ state } = await step.run(call()));
  }
}
