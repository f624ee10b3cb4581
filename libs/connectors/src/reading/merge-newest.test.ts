import fc from 'fast-check';
import { mergeNewest, type ReadList } from './merge-newest.ts';

interface Entry {
  readonly publishId: string;
  readonly createdAt: Date | null;
}

const entry = (publishId: string, minute: number): Entry => ({ publishId, createdAt: new Date(minute * 60_000) });

/** A platform's list, newest first, with cursors after the last entry of each page. */
const platformList =
  (entries: () => readonly Entry[], limit: number): ReadList<Entry> =>
  (after) => {
    const start = after === undefined ? 0 : entries().findIndex(({ publishId }) => `after ${publishId}` === after) + 1;
    const page = entries().slice(start, start + limit);
    const hasMore = start + limit < entries().length;
    return Promise.resolve({ entries: page, next: hasMore ? `after ${page.at(-1)?.publishId}` : undefined });
  };

/** The ids of all pages. */
async function pagesOf(lists: readonly ReadList<Entry>[], pageSize: number, afterFirst = () => {}): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { entries, next } = await mergeNewest(lists, pageSize, cursor);
    pages.push(entries.map(({ publishId }) => publishId));
    if (cursor === undefined) afterFirst();
    cursor = next;
  } while (cursor !== undefined && pages.length < 500);
  expect(cursor).toBeUndefined();
  return pages;
}

const minutes = fc.uniqueArray(fc.nat(500), { maxLength: 60 });

test('two lists are one, newest first, without gaps or repetitions, in pages of at most the wanted size', async () => {
  await fc.assert(
    fc.asyncProperty(minutes, fc.func(fc.boolean()), fc.integer({ min: 1, max: 45 }), async (times, isFirst, pageSize) => {
      const all = times.toSorted((one, other) => other - one).map((minute) => entry(`${minute}`, minute));
      const parts = [true, false].map((wanted) => all.filter(({ publishId }) => isFirst(publishId) === wanted));
      const pages = await pagesOf(
        parts.map((part) => platformList(() => part, pageSize)),
        pageSize,
      );
      expect(pages.flat()).toEqual(all.map(({ publishId }) => publishId));
      expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(pageSize);
    }),
  );
});

test('an entry that is in both lists is returned once, even if its times differ', async () => {
  const shifts = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 40, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(minutes, shifts, fc.integer({ min: 1, max: 45 }), async (times, shifted, pageSize) => {
      const newestFirst = (entries: Entry[]) => entries.sort((one, other) => Number(other.createdAt) - Number(one.createdAt));
      const posts = newestFirst(times.map((minute) => entry(`${minute}`, minute)));
      // Every other post, and some that are not there.
      const reels = newestFirst(
        times.flatMap((minute, at) => (at % 2 === 0 ? entry(`${minute}`, minute + (shifted[at] ?? 0)) : entry(`reel ${minute}`, minute))),
      );
      const ids = (await pagesOf([platformList(() => posts, pageSize), platformList(() => reels, pageSize)], pageSize)).flat();
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(ids)).toEqual(new Set([...posts, ...reels].map(({ publishId }) => publishId)));
    }),
  );
});

test('the entry in the first list is returned if both lists have it', async () => {
  const first = entry('1', 5);
  const { entries } = await mergeNewest([platformList(() => [first], 5), platformList(() => [entry('1', 6)], 5)], 5, undefined);
  expect(entries).toEqual([first]);
});

test('what is published or deleted between two pages neither repeats nor hides other entries', async () => {
  const before = Array.from({ length: 30 }, (_, at) => entry(`p${30 - at}`, 300 - at * 10));
  const reels = [entry('r2', 105), entry('r1', 95)];
  const all = [...before, ...reels].sort((one, other) => Number(other.createdAt) - Number(one.createdAt)).map(({ publishId }) => publishId);
  const pageSize = 25;
  let posts = before;
  const lists = [platformList(() => posts, pageSize), platformList(() => reels, pageSize)];
  expect((await pagesOf(lists, pageSize, () => (posts = [entry('p31', 310), ...before]))).flat()).toEqual(all);
  posts = before;
  // The last post of the first page: more have been returned than are remembered by their ids.
  const withoutLast = () => (posts = before.filter(({ publishId }) => publishId !== all[pageSize - 1]));
  expect((await pagesOf(lists, pageSize, withoutLast)).flat()).toEqual(all);
});

test('a list that the account does not have is left out, also on the next pages', async () => {
  const missing = jest.fn<Promise<undefined>, [string | undefined]>(() => Promise.resolve(undefined));
  const posts = [entry('2', 2), entry('1', 1)];
  expect(await pagesOf([platformList(() => posts, 1), missing], 1)).toEqual([['2'], ['1']]);
  expect(missing).toHaveBeenCalledTimes(1);
});

test('an entry without a time does not delay those behind it', async () => {
  const posts = [{ publishId: 'p2', createdAt: null }, entry('p1', 1)];
  expect(await pagesOf([platformList(() => posts, 2), platformList(() => [entry('r1', 5)], 2)], 2)).toEqual([['p2', 'r1'], ['p1']]);
});

test.each(['NEXT', '{}', '[]', 'null', '{"places":[{}],"recent":[]}', '{"places":[{"after":1},{}],"recent":[]}'])(
  'a cursor of something else is rejected: %s',
  async (cursor) => {
    await expect(mergeNewest([platformList(() => [], 2), platformList(() => [], 2)], 2, cursor)).rejects.toMatchObject({
      class: 'validation',
      detail: { param: 'cursor' },
    });
  },
);
