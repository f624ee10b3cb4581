import { readdirSync } from 'node:fs';
import { CHANGES, downgradeResponse, FLOOR_VERSION, toVersion, upgradeRequest, VERSIONS } from './index.ts';

test('every file of a change is in the list, in order of time, and dated like its name', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^\d{4}-\d{2}-\d{2}-/.test(name));
  expect(CHANGES.map(({ date }) => date)).toEqual(files.map((name) => name.slice(0, 10)).sort());
  for (const { date } of CHANGES) expect(VERSIONS).toContain(date);
  expect([...VERSIONS]).toEqual([...VERSIONS].sort());
});

test.each([undefined, '', 'latest', '2026-07-18', '2020-01-01', ['2026-07-17', '2026-08-02'], '2026-08-06 '])(
  'the version %j is unknown, and the floor version is served',
  (requested) => expect(toVersion(requested)).toBe(FLOOR_VERSION),
);

test.each(VERSIONS)('the version %s is served when it is requested', (version) => expect(toVersion(version)).toBe(version));

test.each(VERSIONS)('%s has the self link from 2026-07-17, on the response and not on the resources in it', (version) => {
  const page = { items: [{ id: '1', self: 'a field of its own' }], next: null, self: 'https://api.example.com/api/businesses' };
  const written = downgradeResponse(version, 'business')(page);
  expect('self' in written).toBe(version >= '2026-07-17');
  expect(written['items']).toEqual(page.items);
  expect(upgradeRequest(version, 'post')({ caption: 'x' })).toEqual({ caption: 'x' });
});
