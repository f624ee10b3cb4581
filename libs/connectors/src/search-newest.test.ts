import { type NewestFirst, searchNewest } from './search-newest.ts';

const committed = new Date('2026-11-21T10:00:00.000Z');
const at = (seconds: number) => new Date(committed.getTime() + seconds * 1_000).toISOString();

interface Post {
  readonly id: string;
  readonly at?: string | number;
}

/** A list by pages; with `endless`, its last page is followed by itself. */
async function search(pages: readonly (readonly Post[])[], { endless = false } = {}) {
  const requested: (number | undefined)[] = [];
  const list: NewestFirst<number> = {
    async read(cursor) {
      requested.push(cursor);
      const index = Math.min(cursor ?? 0, pages.length - 1);
      return { entries: pages[index] ?? [], next: endless || index + 1 < pages.length ? (cursor ?? 0) + 1 : undefined };
    },
    madeAt: (post) => (post as Post | undefined)?.at,
    candidate: (post) => ((post as Post).id.startsWith('ours') ? { publishId: (post as Post).id, state: {} } : undefined),
  };
  const candidates = await searchNewest(committed, list);
  return { ids: candidates.map(({ publishId }) => publishId), requested };
}

test('a post is found on any page, and the search continues, because a second match would be ambiguous', async () => {
  const pages = [
    [{ id: 'other', at: at(9) }],
    [{ id: 'ours-1', at: at(5) }],
    [{ id: 'ours-2', at: at(1) }],
    [{ id: 'ours-3', at: at(-31) }],
  ];
  expect(await search(pages)).toEqual({ ids: ['ours-1', 'ours-2'], requested: [undefined, 1, 2, 3] });
});

test('posts older than the commit (with a tolerance for clocks) do not match, and end the search', async () => {
  const pages = [
    [{ id: 'other', at: at(9) }],
    [
      { id: 'ours-1', at: at(-30) },
      { id: 'ours-2', at: at(-31) },
    ],
    [{ id: 'ours-3', at: at(1) }],
  ];
  expect(await search(pages)).toEqual({ ids: ['ours-1'], requested: [undefined, 1] });
});

test('a pinned old post does not end the search, nor do an empty page and posts without a valid date', async () => {
  const pinned = { id: 'ours-0', at: at(-3_600) };
  const pages = [
    [pinned, { id: 'other', at: at(9) }],
    [],
    [{ id: 'ours-1' }, { id: 'ours-2', at: 'yesterday' }, { id: 'ours-3', at: 1e300 }],
    [{ id: 'ours-4', at: committed.getTime() }],
  ];
  expect(await search(pages)).toEqual({ ids: ['ours-4'], requested: [undefined, 1, 2, 3] });
});

test('a post that appears twice, because new posts shift the pages, counts once', async () => {
  const ours = { id: 'ours-1', at: at(5) };
  expect((await search([[ours], [ours]])).ids).toEqual(['ours-1']);
});

test('an endless list is given up after ten pages, and matches on them are no proof', async () => {
  const { ids, requested } = await search([[{ id: 'ours-1', at: at(5) }]], { endless: true });
  expect(ids).toEqual([]);
  expect(requested).toHaveLength(10);
});
