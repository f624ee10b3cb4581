import fc from 'fast-check';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type AReading, aReading, type Disturbance } from '../test/a-reading.ts';
import { brokenResponses, foreignResponses, SLOW } from '../test/scripted-platform/bad-responses.ts';
import { conversationsOf, everyPlatform, folderOf } from '../test/conversations/conversations.ts';
import { quoting } from '../test/conversations/quoting.ts';
import type { Reads, Respond } from '../test/conversations/reads.ts';
import { secretsIn } from '../test/secrets.ts';
import { PlatformFailure } from './calls/failure.ts';
import { daysAfter, daysOf, endOfDay, startOfDay } from './reading/day-range.ts';
import type { AccountStatistics } from './reading/reading.ts';
import { ONE_CALL } from './reading/read-calls.ts';
import type { Platform } from './platform.ts';
import { connectorFor } from './registry.ts';

// The reads of every connector, of an account and of posts: the requests and the results, with good and bad responses.

const reading = everyPlatform.flatMap((platform) => {
  const { reads } = conversationsOf(platform);
  return reads ? [[platform, reads] as const] : [];
});

const READS = {
  account: ({ reading: of, call }: AReading, { account }: Reads) => of.readAccount(call, account),
  list: ({ reading: of, call }: AReading) => of.listPosts(call, { pageSize: 2 }),
  posts: ({ reading: of, call }: AReading, { posts }: Reads) => of.readPosts(call, posts),
};
type Read = keyof typeof READS;
const everyRead = Object.keys(READS) as Read[];

interface Outcome {
  readonly result?: unknown;
  readonly failure?: unknown;
  readonly requests: readonly string[];
}

async function outcomeOf(platform: Platform, reads: Reads, read: Read, disturbed?: Disturbance, respond = reads.respond): Promise<Outcome> {
  const account = await aReading(platform, reads.accountId, respond, disturbed);
  const outcome = await READS[read](account, reads).then(
    (result) => ({ result }),
    (failure: unknown) => ({ failure: failure ?? 'nothing' }),
  );
  const requests = account.requests();
  await account.close();
  return { ...outcome, requests };
}

test('every connector with a read side is tested here', () => {
  expect(reading.map(([platform]) => platform)).toEqual(everyPlatform.filter((platform) => connectorFor(platform).reading));
});

test.each(['facebook', 'instagram'] as const)('the first requested day of %s is never older than two years', (platform) => {
  const { keptDays = Infinity, timeZone = '' } = connectorFor(platform).reading?.rules ?? {};
  const first = daysAfter('2026-11-20', -keptDays);
  // The last moment of the 20th there; Facebook compares with midnight UTC.
  const twoYearsBefore = endOfDay('2026-11-20', timeZone).getTime() - 730 * 86_400_000;
  expect(Math.min(Date.parse(first), startOfDay(first, timeZone).getTime())).toBeGreaterThanOrEqual(twoYearsBefore);
});

test.each(['facebook', 'instagram'] as const)('posts of %s since a time before 1970 are requested since 1970', async (platform) => {
  const account = await aReading(platform, '100', () => ({ data: [] }));
  await account.reading.listPosts(account.call, { pageSize: 5, from: new Date('1900-01-01'), until: new Date('1950-01-01') });
  expect(account.requests()[0]).toMatch(/since=0&until=0(&|$)/);
  await account.close();
});

describe.each(reading)('%s', (platform, reads) => {
  // Record them again with `RECORD=1 npx jest libs/connectors/src/reads.test.ts` and look at the diff.
  test.each(everyRead)('the requests and the result of %s match the recording', async (read) => {
    const { requests, ...outcome } = await outcomeOf(platform, reads, read);
    expect(outcome).not.toHaveProperty('failure');
    // Some requests are sent concurrently.
    const told = { requests: [...requests].sort(), ...outcome };
    const file = path.join(import.meta.dirname, folderOf(platform), 'test/recorded-reads', `${read}.json`);
    if (process.env['RECORD'] === '1') {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify(told, null, 2)}\n`);
    }
    expect(JSON.parse(JSON.stringify(told))).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  test.each([
    ['account', reads],
    ['list', reads],
    ['posts', reads],
    ['account', { ...reads, account: { ...reads.account, start: '2024-12-01' } }],
  ] as const)('reading %s makes at most the calls that are reserved for it', async (read, wanted) => {
    const { requests } = await outcomeOf(platform, wanted, read);
    const { account, list, posts } = connectorFor(platform).readCalls ?? ONE_CALL;
    const most = { account: () => account(wanted.account), list: () => list(2), posts: () => posts(wanted.posts.length) };
    // Reports of YouTube have a quota of their own.
    const counted = requests.filter((one) => !one.includes('/v2/reports'));
    expect(counted.length).toBeGreaterThan(0);
    expect(counted.length).toBeLessThanOrEqual(most[read]());
  });

  test('the raw metrics of an account are among those that the rules describe', async () => {
    const { metrics, rawMetrics = [] } = connectorFor(platform).reading?.rules ?? { metrics: [] };
    const described = [...metrics.filter(({ hasNoTotal }) => !hasNoTotal), ...rawMetrics].map(({ name }) => name);
    expect(new Set(described).size).toBe(described.length);
    for (const names of [reads.account.metrics, metrics.map(({ name }) => name)]) {
      const { result } = await outcomeOf(platform, { ...reads, account: { ...reads.account, metrics: names } }, 'account');
      expect(described).toEqual(expect.arrayContaining(Object.keys((result as AccountStatistics).rawMetrics)));
    }
  });

  test("the values of metrics end when a day of the range ends in the platform's time zone", async () => {
    const { result } = await outcomeOf(platform, reads, 'account');
    const { timeZone = '' } = connectorFor(platform).reading?.rules ?? {};
    const ends = daysOf(reads.account).map((day) => endOfDay(day, timeZone).toISOString());
    const { series } = result as AccountStatistics;
    expect(series.map(({ name }) => name)).toEqual(reads.account.metrics);
    expect(ends).toEqual(expect.arrayContaining(series.flatMap(({ values }) => values.map(({ endTime }) => endTime.toISOString()))));
  });

  test('an account has exactly the audience breakdowns of the rules', async () => {
    const { reading: of, call, close } = await aReading(platform, reads.accountId, reads.respond);
    const { audience } = await of.readAccount(call, reads.account);
    await close();
    const provided = Object.entries(audience).flatMap(([name, shares]) => (shares === null ? [] : [name]));
    expect(provided.sort()).toEqual([...(of.rules.audience ?? [])].sort());
  });

  test('an id in a foreign format does not get into a request', async () => {
    const [own = ''] = reads.posts;
    const ids = [
      '',
      ' ',
      '../me',
      'me/accounts?fields=access_token',
      '%2e%2e%2fme',
      'a b',
      '1&fields=email',
      '1\n',
      `${own}/../1`,
      `${own}?a=b`,
      `${own},x y`,
    ];
    const account = await aReading(platform, reads.accountId, reads.respond);
    expect(await account.reading.readPosts(account.call, ids)).toEqual([]);
    expect(account.requests()).toEqual([]);
    await account.close();
  });

  const atEachRequest = async (read: Read, attempt: (at: number) => Promise<void>) => {
    const { requests } = await outcomeOf(platform, reads, read);
    await Promise.all(requests.map((_request, at) => attempt(at)));
  };

  describe.each(everyRead)('%s', (read) => {
    const broken = read === 'account' ? brokenResponses : {};
    test.each(Object.entries({ ...foreignResponses, ...broken }))('%s is a temporary failure', async (name, response) => {
      await atEachRequest(read, async (at) => {
        if (Object.hasOwn(brokenResponses, name) && at > 0) return;
        const disturbed = { at, response, ...(name === SLOW && { timeoutMs: 500 }) };
        const { failure, requests } = await outcomeOf(platform, reads, read, disturbed);
        expect({ request: requests[at], failure }).toMatchObject({ failure: { name: 'PlatformFailure', class: 'transient' } });
        expect(secretsIn(failure)).toEqual([]);
      });
    });

    test.each([
      ['an empty object', {}],
      ['an error', { error: { code: 1, message: 'Please try again' } }],
    ])('a success that is %s is a temporary failure, not a result', async (_what, json) => {
      await atEachRequest(read, async (at) => {
        const { failure, requests } = await outcomeOf(platform, reads, read, { at, response: { json } });
        if (MAY_BE_EMPTY.test(requests[at] ?? '')) return;
        expect({ request: requests[at], failure }).toMatchObject({ failure: { name: 'PlatformFailure', class: 'transient' } });
      });
    });

    test.each([200, 400, 401, 403, 404, 500])(
      'an error (%d) that quotes our request does not leak secrets, and is never a value',
      async (status) => {
        await atEachRequest(read, async (at) => {
          const { failure, result } = await outcomeOf(platform, reads, read, { at, response: quoting(platform, status) });
          if (failure !== undefined) expect(failure).toBeInstanceOf(PlatformFailure);
          expect(secretsIn(failure ?? result)).toEqual([]);
        });
      },
    );

    test('a response with missing or malformed parts is a failure, or a result with the known parts', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(1_000), fc.constantFrom(...STRANGE), async (which, strange) => {
          const { failure, result } = await outcomeOf(platform, reads, read, undefined, changed(reads.respond, which, strange));
          if (failure !== undefined) expect(failure).toBeInstanceOf(PlatformFailure);
          else expectShape(result);
        }),
        { numRuns: 30 },
      );
    });

    test('a value that the platform does not return is never zero', async () => {
      const silent: Respond = (...request) => withoutNumbers(reads.respond(...request));
      const { result } = await outcomeOf(platform, reads, read, undefined, silent);
      const known = reads.omitsZeros ? [null, 0] : [null];
      expect(numbersIn(result).filter((number) => !known.includes(number))).toEqual([]);
    });
  });
});

/** Lists that Google omits if nothing is in them, and names that LinkedIn may not have. */
const MAY_BE_EMPTY = /\/localPosts\?|\/(industries|seniorities|functions|geo)\?/;

const STRANGE: readonly unknown[] = [undefined, null, '', 'many', '-1', -1, 1e309, true, {}, [], [null], { value: {} }];

/** One node of each response is another: the one at an index, counted from the root. */
const changed =
  (respond: Respond, which: number, strange: unknown): Respond =>
  (...request) => {
    const response = respond(...request);
    let left = which % Math.max(1, countNodes(response) - 1);
    return replaceNodes(response, () => left-- === 0, strange);
  };

const childrenOf = (node: unknown): unknown[] => (typeof node === 'object' && node !== null ? Object.values(node) : []);
const countNodes = (node: unknown): number => 1 + childrenOf(node).reduce((sum: number, child) => sum + countNodes(child), 0);

function replaceNodes(node: unknown, isMeant: (child: unknown) => boolean, by: unknown): unknown {
  const next = (child: unknown) => (isMeant(child) ? by : replaceNodes(child, isMeant, by));
  if (Array.isArray(node)) return node.map(next);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([name, child]) => [name, next(child)]));
}

/** Numbers, and texts that are numbers, except ids, times and dates. */
function withoutNumbers(node: unknown, name = ''): unknown {
  if (Array.isArray(node)) return node.map((child) => withoutNumbers(child, name));
  if (typeof node === 'object' && node !== null) {
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, withoutNumbers(child, key)]));
  }
  const isKept = /^(id|end|start|year|month|day|code|cursor|create_time|publishedAt|.*_id|duration)$/.test(name);
  if (isKept) return node;
  return typeof node === 'number' || (typeof node === 'string' && /^\d+$/.test(node)) ? null : node;
}

/** Every number of a result; of times none. */
function numbersIn(result: unknown, name = ''): (number | null)[] {
  if (result instanceof Date || name === 'videoDurationMs') return [];
  if (typeof result === 'number') return [result];
  return typeof result === 'object' && result !== null ? Object.entries(result).flatMap(([key, child]) => numbersIn(child, key)) : [];
}

function expectShape(result: unknown): void {
  for (const number of numbersIn(result)) expect(number).toBeGreaterThanOrEqual(0);
  const posts = Array.isArray(result) ? (result as unknown[]) : (result as { posts?: unknown[] }).posts;
  for (const post of posts ?? []) {
    const { publishId, createdAt, ...texts } = post as Record<string, unknown>;
    expect(publishId).toMatch(/./);
    if (createdAt !== null) expect((createdAt as Date).getTime()).not.toBeNaN();
    for (const name of ['caption', 'title', 'permalinkUrl', 'thumbnailUrl', 'altText', 'mediaType', 'type'])
      expect(texts).toHaveProperty(name, expect.any(String));
  }
}
