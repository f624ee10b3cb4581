import { CreatePostRequest } from '@fanfare/contracts/content';
import { CreateQueueRequest } from '@fanfare/contracts/content/queues';
import { newId } from '@fanfare/runtime';
import { outboxEmpty } from '../outbox-empty.ts';
import type { BenchPlatform } from '../platform.ts';
import { atMost } from '../report/table.ts';
import { compare } from './compare.ts';
import type { Figure } from './figure.ts';

const SMALL = 10;
/** "The same cost", with a margin for noise. */
const SAME = 1.3;
const CREATE_CONCURRENCY = 32;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** A page of ten posts, and moving a post to the front, in a queue of ten posts and in one of many. */
export async function queues(platform: BenchPlatform, posts: number, say: (line: string) => void): Promise<Figure[]> {
  say(`filling a queue with ${posts} posts`);
  const [small, large] = [await aQueue(platform, SMALL), await aQueue(platform, posts)];
  say('listing and moving posts of queues');
  const { baseUrl, businessId, apiKey } = platform;
  const headers = { authorization: `Bearer ${apiKey}` };
  const origin = baseUrl;
  const page = (name: string, { queueId }: Queue) => ({
    name,
    target: {
      origin,
      request: () => ({ method: 'GET' as const, path: `/api/businesses/${businessId}/queues/${queueId}/posts?limit=${SMALL}`, headers }),
    },
    processes: {},
  });
  const move = (name: string, { postIds }: Queue) => ({
    name,
    target: {
      origin,
      request: () => ({
        method: 'POST' as const,
        path: `/api/businesses/${businessId}/posts/${postIds[Math.floor(Math.random() * postIds.length)] ?? ''}/queue`,
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"position":"first"}',
      }),
    },
    processes: {},
  });
  const turns = { concurrency: 1, rounds: 5, seconds: 3 };
  const pages = await compare([page('small', small), page('large', large)], turns);
  const moves = await compare([move('small', small), move('large', large)], turns);
  return [
    ...(
      [
        [`page of ${SMALL} posts`, pages],
        ['moving a post to the front', moves],
      ] as const
    ).map(([what, figures]): Figure => {
      const [few = 0, many = 0] = [figures['small']?.p50Ms, figures['large']?.p50Ms];
      return {
        what: `${what} in a queue of ${SMALL} and of ${posts}, p50`,
        measured: `${few.toFixed(1)} → ${many.toFixed(1)} ms: ${(many / few).toFixed(2)} ×`,
        target: `≤ ${SAME} ×`,
        verdict: atMost(SAME, many / few),
      };
    }),
  ];
}

interface Queue {
  readonly queueId: string;
  readonly postIds: readonly string[];
}

/** With content's own contract: through the gateway it would take several times as long. Its slots are rare, so that none takes a post meanwhile. */
async function aQueue({ operator, organizationId, businessId, contentAdminUrl }: BenchPlatform, posts: number): Promise<Queue> {
  const scope = operator.as({ organizationId, businessId });
  const queueId = newId();
  const yesterday = DAYS[(new Date().getUTCDay() + 5) % 7] ?? '';
  const given = { operationId: newId(), queueId, name: `Queue of ${posts}`, slots: [{ days: [yesterday], time: '00:00' }] };
  await operator.content.createQueue(CreateQueueRequest.fromPartial(given), scope);
  const postIds = Array.from({ length: posts }, () => newId());
  const left = [...postIds];
  const lane = async () => {
    for (let postId = left.pop(); postId !== undefined; postId = left.pop()) {
      await operator.content.createPost(CreatePostRequest.fromPartial({ operationId: newId(), postId, caption: 'Bench', queueId }), scope);
    }
  };
  await Promise.all(Array.from({ length: CREATE_CONCURRENCY }, lane));
  await outboxEmpty(contentAdminUrl);
  return { queueId, postIds };
}
