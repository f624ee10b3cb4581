import { grouped } from './grouped.ts';

/** Each group waits until it is released. */
function start({ most = 10 } = {}) {
  const groups: {
    items: readonly string[];
    go: (results?: readonly PromiseSettledResult<string>[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const call = grouped<string, string>({
    most,
    keyOf: (item) => item.charAt(0),
    work: (items) =>
      new Promise((resolve, reject) => {
        const done = items.map((item) => ({ status: 'fulfilled' as const, value: item.toUpperCase() }));
        groups.push({ items, go: (results = done) => resolve(results), fail: reject });
      }),
  });
  return { groups, call };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a single item starts at once; items that come meanwhile are grouped, in order', async () => {
  const { groups, call } = start();
  const first = call('a');
  const others = [call('b'), call('c')];
  expect(groups.map(({ items }) => items)).toEqual([['a']]);
  groups[0]?.go();
  expect(await first).toBe('A');
  await turn();
  expect(groups[1]?.items).toEqual(['b', 'c']);
  groups[1]?.go();
  expect(await Promise.all(others)).toEqual(['B', 'C']);
  const last = call('d');
  groups[2]?.go();
  expect(await last).toBe('D');
});

test('two items with the same key are never in one group, and no group exceeds its limit', async () => {
  const { groups, call } = start({ most: 2 });
  const all = ['a1', 'a2', 'b1', 'a3', 'c1'].map((item) => call(item));
  for (let at = 0; at < 4; at++) {
    groups[at]?.go();
    await turn();
  }
  expect(await Promise.all(all)).toEqual(['A1', 'A2', 'B1', 'A3', 'C1']);
  expect(groups.map(({ items }) => items)).toEqual([['a1'], ['a2', 'b1'], ['a3', 'c1']]);
});

test('the result of one item does not affect the others; a group that fails as a whole fails all its items, and the next group continues', async () => {
  const { groups, call } = start();
  const first = call('a');
  const [b, c] = [call('b'), call('c')];
  groups[0]?.fail(new Error('Unavailable'));
  await expect(first).rejects.toThrow('Unavailable');
  await turn();
  groups[1]?.go([
    { status: 'rejected', reason: new Error('Not this one') },
    { status: 'fulfilled', value: 'fine' },
  ]);
  await expect(b).rejects.toThrow('Not this one');
  expect(await c).toBe('fine');
});
