import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import {
  connectorFor,
  createPlatformClient,
  type Account,
  type Content,
  type ContentMedia,
  type PlatformClient,
} from '@fanfare/connectors';
import type { Platform } from '@fanfare/connectors/platform';
import { platformRules } from '@fanfare/connectors/preflight';
import { CreatePostRequest } from '@fanfare/contracts/content';
import { startRealSandbox, type RealSandbox } from '@fanfare/infra';
import { deadlineIn } from '@fanfare/runtime';
import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import sharp from 'sharp';
import { patchOf } from '../../src/preflight/fix-overrides.ts';
import { platformFindings } from '../../src/preflight/platform-findings.ts';
import { connectAtSandbox } from '../../../../libs/connectors/test/connect-at-sandbox.ts';
import { errorsOf, requiredOptions } from '../../../../libs/connectors/test/errors.ts';

// Posts without findings, or with all findings fixed, are accepted by the platform: random posts are published with the connectors to the sandbox, which has
// its own tables of limits.
const RUNS = 25;
const SEED = 20_261_121;

/** A request, with only the fields that findings can name. */
interface Body {
  caption: string;
  link?: string;
  platform_overrides: {
    platform: string;
    caption?: string;
    title?: string;
    link?: string;
    first_comment?: string;
    options?: Record<string, string>;
  }[];
}

let sandbox: RealSandbox;
let media: Server;
let client: PlatformClient;
const files = new Map<string, { bytes: Buffer; mimeType: string }>();
const images: ContentMedia[] = [];
let reel: ContentMedia;

beforeAll(async () => {
  sandbox = await startRealSandbox();
  media = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    response.writeHead(file ? 200 : 404, { 'content-type': file?.mimeType ?? 'text/plain' });
    response.end(request.method === 'HEAD' ? undefined : file?.bytes);
  });
  await new Promise<void>((resolve) => media.listen(0, '127.0.0.1', resolve));
  // Random bytes, because Google requires at least ten kilobytes.
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  for (const [width, height] of [
    [600, 600],
    [800, 640],
    [500, 620],
  ] as const) {
    const bytes = await sharp({ create: { width, height, channels: 3, background: '#c8562b', noise } })
      .jpeg()
      .toBuffer();
    images.push(mediaOf(bytes, { type: 'image', mimeType: 'image/jpeg', width, height }));
  }
  const video = readFileSync('apps/sandbox/test/fixtures/reel.mp4');
  reel = mediaOf(video, { type: 'video', mimeType: 'video/mp4', width: 540, height: 960, durationMs: 3_000 });
  client = createPlatformClient({ baseUrl: sandbox.url, timeoutMs: 20_000 });
});
afterAll(async () => {
  await client.close();
  await sandbox.stop();
  await new Promise((resolve) => (media.close(resolve), media.closeAllConnections()));
});

function mediaOf(
  bytes: Buffer,
  facts: Pick<ContentMedia, 'type' | 'mimeType' | 'width' | 'height'> & { durationMs?: number },
): ContentMedia {
  const at = `/${files.size}.${facts.type === 'video' ? 'mp4' : 'jpg'}`;
  files.set(at, { bytes, mimeType: facts.mimeType });
  const publicUrl = `http://127.0.0.1:${(media.address() as AddressInfo).port}${at}`;
  return {
    id: at,
    sizeBytes: bytes.length,
    altText: 'A red door',
    publicUrl,
    read: async (from, to) => bytes.subarray(from, to + 1),
    ...facts,
  };
}

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '#brot',
    '@bakery',
    '$BRD',
    'https://example.com/a?b=1',
    '👩‍👩‍👧‍👦',
    '🇩🇪',
    '面包很好',
    'パン',
    '<b>',
    '\n',
    'a\\b_c*d',
    '(x)',
    '|',
    '~',
    'e\u0301',
    '#️⃣',
  ),
);
const text = (maxLength: number) => fc.array(piece, { maxLength }).map((pieces) => pieces.join(' '));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

interface Post {
  readonly caption: string;
  readonly title: string | undefined;
  readonly link: string | undefined;
  readonly firstComment: string | undefined;
  readonly media: 'none' | 'one' | 'three' | 'video';
}
const posts: fc.Arbitrary<Post> = fc.record({
  caption: fc.oneof(text(8), text(400)),
  title: optional(fc.oneof(text(4), text(60))),
  link: optional(fc.constantFrom('https://example.com/', 'https://example.com/a/b?c=d#e')),
  firstComment: optional(text(60)),
  media: fc.constantFrom('none', 'one', 'three', 'video'),
});

test.each(Object.keys(platformRules) as Platform[])('%s accepts a post that has no findings or was fixed', async (platform) => {
  const account = await connectAtSandbox(client, platform);
  const options = await optionsFor(platform, account);
  let attempt = 0;
  // Platforms reject a repeated text, so every post has its own.
  await fc.assert(
    fc.asyncProperty(posts, async (post) => {
      const chosen = { none: [], one: images.slice(0, 1), three: images, video: [reel] }[post.media];
      const body = fixed(platform, { ...post, caption: `${++attempt} ${post.caption}` }, chosen, options);
      // If the post cannot be fixed, try another one.
      fc.pre(body !== undefined);
      const { caption = body.caption, title, first_comment: firstComment } = body.platform_overrides[0] ?? {};
      const content: Content = {
        caption,
        media: chosen,
        options,
        ...(title !== undefined && { title }),
        ...(body.link !== undefined && { link: body.link }),
        // As the publisher does: an empty comment is not sent.
        ...(firstComment?.trim() && { firstComment }),
      };
      expect(await published(platform, content, account)).toMatch(/./);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
});

/** The post with all findings fixed; undefined if they have no fix, for example if an image is missing. */
function fixed(platform: Platform, post: Post, chosen: readonly ContentMedia[], options: Record<string, string>): Body | undefined {
  const { title, firstComment: first_comment } = post;
  const override = { platform, options, ...(title !== undefined && { title }), ...(first_comment !== undefined && { first_comment }) };
  const body: Body = { caption: post.caption, platform_overrides: [override], ...(post.link !== undefined && { link: post.link }) };
  const request = requestOf(body);
  const { changes } = platformFindings({ ...request, mediaIds: chosen.map(({ id }) => id) }, [platform], chosen);
  expect(applyPatch(body, patchOf(request, changes) as Parameters<typeof applyPatch>[1]).every((error) => error === null)).toBe(true);
  const left = platformFindings({ ...requestOf(body), mediaIds: chosen.map(({ id }) => id) }, [platform], chosen).findings;
  return left.some(({ severity }) => severity === 'FINDING_SEVERITY_ERROR') ? undefined : body;
}

function requestOf({ platform_overrides, ...body }: Body): CreatePostRequest {
  return CreatePostRequest.fromPartial({
    ...body,
    platformOverrides: platform_overrides.map(({ first_comment: firstComment, ...override }) => ({
      override: { ...override, ...(firstComment !== undefined && { firstComment }) },
    })),
  });
}

const optionsFor = (platform: Platform, account: Account): Promise<Record<string, string>> =>
  requiredOptions(connectorFor(platform), errorsOf(platform).commit, { http: client.http(platform), account });

/** A hundredth of each delay that a step returns: enough for the sandbox to fetch the media before the polls end. */
const PAUSE_SCALE = 0.01;

/** Publishes as the publisher does if nothing fails, with shorter delays. @returns the platform's id of the post */
async function published(platform: Platform, content: Content, account: Account): Promise<string> {
  const { publish } = connectorFor(platform);
  let state = {};
  for (let steps = 0; steps < 200; steps++) {
    const next = publish.next(content, state);
    if ('published' in next) return next.published.publishId;
    const result = await next.step.run({ http: client.http(platform, deadlineIn(20_000)), account });
    state = result.state;
    if (result.waitMs) await setTimeout(result.waitMs * PAUSE_SCALE);
  }
  throw new Error('The post was not published within the polls.');
}
