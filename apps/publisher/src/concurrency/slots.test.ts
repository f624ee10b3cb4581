import type { Platform } from '@fanfare/connectors';
import { slotsBeside, type DueDelivery } from './slots.ts';

const CAPS = { total: 64, perOrganization: 16, perAccount: 4, perPlatform: () => 48 };
const NOTHING = { everything: false, platforms: [], organizations: [], integrations: [] };

let serial = 0;
const due = (organization_id: string, account: string, platform: Platform = 'x'): DueDelivery => ({
  _id: String(serial++),
  organization_id,
  integration_id: `${organization_id}/${account}`,
  platform,
});
const many = (count: number, ...of: Parameters<typeof due>) => Array.from({ length: count }, () => due(...of));
/** As the dispatcher chooses: shares first. */
function chosen(underWay: readonly DueDelivery[], waiting: readonly DueDelivery[], more = {}) {
  const slots = slotsBeside(underWay, waiting, { ...CAPS, ...more }, NOTHING);
  const shares = waiting.filter((one) => slots.takeWithinShare(one));
  return [...shares, ...waiting.filter((one) => !shares.includes(one) && slots.borrow(one))];
}
const countBy = (all: readonly DueDelivery[], of: (one: DueDelivery) => string) =>
  Object.fromEntries([...Map.groupBy(all, of)].map(([key, ones]) => [key, ones.length]));

test('one account alone has all that may be lent', () => {
  expect(chosen([], many(1_000, 'big', 'a'))).toHaveLength(40);
});

test('where two wait each has half of it', () => {
  const both = [...many(1_000, 'big', 'a'), ...many(1_000, 'other', 'a')];
  expect(countBy(chosen([], both), ({ organization_id }) => organization_id)).toEqual({ big: 20, other: 20 });
});

test('where many wait each has its share, and the last slots are left to other platforms', () => {
  const waiting = Array.from({ length: 20 }, (_, index) => many(100, `o${index}`, 'a')).flat();
  expect(chosen([], waiting)).toHaveLength(48);
  const facebook = Array.from({ length: 20 }, (_, index) => many(100, `o${index}`, 'f', 'facebook')).flat();
  expect(countBy(chosen([], [...waiting, ...facebook]), ({ platform }) => platform)).toEqual({ x: 48, facebook: 8 });
  // Two of them hang: a third one has slots.
  expect(chosen(chosen([], [...waiting, ...facebook]), many(100, 'third', 'l', 'linkedin'))).toHaveLength(4);
});

test('what one has borrowed keeps nobody from a share, neither another organization nor another account of its own', () => {
  const borrowed = many(40, 'big', 'a');
  expect(chosen(borrowed, many(10, 'small', 'a'))).toHaveLength(4);
  expect(chosen(borrowed, many(10, 'big', 'b'))).toHaveLength(4);
  expect(chosen(borrowed, many(10, 'big', 'a'))).toHaveLength(0);
});

test('an organization of many accounts has its share, and no more while others wait', () => {
  const accounts = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((account) => many(100, 'big', account));
  const others = ['p', 'q', 'r'].flatMap((organization) => many(100, organization, 'a'));
  const counts = countBy(chosen([], [...accounts, ...others]), ({ organization_id }) => organization_id);
  expect(counts['big']).toBeLessThanOrEqual(CAPS.perOrganization + 8);
  expect([counts['p'], counts['q'], counts['r']]).toEqual([4, 4, 4]);
});

test('a platform in trouble has no more than is left to it, whoever waits', () => {
  const waiting = [...many(10, 'a', 'a'), ...many(10, 'b', 'b'), ...many(10, 'a', 'f', 'facebook')];
  const inTrouble = { perPlatform: (platform: Platform) => (platform === 'x' ? 2 : 48) };
  expect(countBy(chosen([], waiting, inTrouble), ({ platform }) => platform)).toEqual({ x: 2, facebook: 10 });
  expect(slotsBeside(many(2, 'a', 'a'), [], { ...CAPS, ...inTrouble }, NOTHING).exceptForShares.platforms).toEqual(['x']);
});

test('a single slot is one', () => {
  expect(chosen([], many(5, 'a', 'a'), { total: 1, perPlatform: () => 1 })).toHaveLength(1);
});
