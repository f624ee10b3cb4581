import { PLATFORMS, type Platform } from '@fanfare/connectors';
import { mostOfPlatform, slotsBeside, type DueDelivery } from './slots.ts';

const CAPS = { total: 64, perOrganization: 16, perAccount: 4, perPlatform: () => mostOfPlatform(64) };
const NOTHING = { everything: false, platforms: [], organizations: [], integrations: [] };

let serial = 0;
const due = (organization_id: string, account: string, platform: Platform = 'x'): DueDelivery => ({
  _id: String(serial++),
  organization_id,
  integration_id: `${organization_id}/${account}`,
  platform,
});
const many = (count: number, ...of: Parameters<typeof due>) => Array.from({ length: count }, () => due(...of));
/** Chooses like the dispatcher: shares first. */
function chosen(underWay: readonly DueDelivery[], waiting: readonly DueDelivery[], more = {}) {
  const slots = slotsBeside(underWay, waiting, { ...CAPS, ...more }, NOTHING);
  const shares = waiting.filter((one) => slots.takeWithinShare(one));
  return [...shares, ...waiting.filter((one) => !shares.includes(one) && slots.borrow(one))];
}
const countBy = (all: readonly DueDelivery[], of: (one: DueDelivery) => string) =>
  Object.fromEntries([...Map.groupBy(all, of)].map(([key, ones]) => [key, ones.length]));

test('one account alone can use all slots that may be lent', () => {
  expect(chosen([], many(1_000, 'big', 'a'))).toHaveLength(40);
});

test('with two waiting accounts, each can use half of them', () => {
  const both = [...many(1_000, 'big', 'a'), ...many(1_000, 'other', 'a')];
  expect(countBy(chosen([], both), ({ organization_id }) => organization_id)).toEqual({ big: 20, other: 20 });
});

test('with many waiting accounts each has its share, and every other platform has slots however many the first ones use', () => {
  const waitingOn = (platform: Platform) => Array.from({ length: 20 }, (_, index) => many(100, `o${index}`, platform, platform)).flat();
  const x = chosen([], waitingOn('x'));
  // Two are left to each other platform.
  expect(x).toHaveLength(64 - 2 * (PLATFORMS.length - 1));
  const facebook = chosen(x, waitingOn('facebook'));
  expect(facebook).toHaveLength(2);
  const linkedin = chosen([...x, ...facebook], waitingOn('linkedin'));
  expect(linkedin).toHaveLength(2);
  const tiktok = chosen([...x, ...facebook, ...linkedin], waitingOn('tiktok'));
  expect(tiktok).toHaveLength(2);
});

test('a platform that uses the whole share of an organization leaves slots to the other platforms of the same organization', () => {
  const accounts = ['a', 'b', 'c', 'd', 'e'].flatMap((account) => many(100, 'big', account));
  const x = chosen([], accounts);
  expect(x).toHaveLength(40);
  const facebook = many(100, 'big', 'f', 'facebook');
  const slots = slotsBeside(x, facebook, CAPS, NOTHING);
  expect(slots.exceptForShares.atShare).toEqual([{ organizationId: 'big', platforms: ['x'] }]);
  expect(slots.exceptForShares.organizations).toEqual([]);
  expect(chosen(x, facebook)).toHaveLength(2);
});

test('deliveries beyond the limit of a failing platform take no slots from other platforms', () => {
  const hanging = chosen(
    [],
    ['a', 'b', 'c', 'd', 'e'].flatMap((account) => many(100, 'big', account)),
  );
  const inTrouble = { perPlatform: (platform: Platform) => (platform === 'x' ? 2 : mostOfPlatform(64)) };
  expect(chosen(hanging, many(100, 'big', 'x2'), inTrouble)).toEqual([]);
  const facebook = ['f', 'g', 'h', 'i', 'j'].flatMap((account) => many(100, 'big', account, 'facebook'));
  expect(chosen(hanging, facebook, inTrouble).length).toBeGreaterThan(CAPS.perOrganization);
});

test('borrowed slots do not reduce the share of another organization, or of another account of the same organization', () => {
  const borrowed = many(40, 'big', 'a');
  expect(chosen(borrowed, many(10, 'small', 'a'))).toHaveLength(4);
  expect(chosen(borrowed, many(10, 'big', 'b'))).toHaveLength(4);
  expect(chosen(borrowed, many(10, 'big', 'a'))).toHaveLength(0);
});

test('an organization with many accounts has its share, and no more while others wait', () => {
  const accounts = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((account) => many(100, 'big', account));
  const others = ['p', 'q', 'r'].flatMap((organization) => many(100, organization, 'a'));
  const counts = countBy(chosen([], [...accounts, ...others]), ({ organization_id }) => organization_id);
  expect(counts['big']).toBeLessThanOrEqual(CAPS.perOrganization + 8);
  expect([counts['p'], counts['q'], counts['r']]).toEqual([4, 4, 4]);
});

test('a failing platform gets no more than its limit, however many deliveries wait', () => {
  const waiting = [...many(10, 'a', 'a'), ...many(10, 'b', 'b'), ...many(10, 'a', 'f', 'facebook')];
  const inTrouble = { perPlatform: (platform: Platform) => (platform === 'x' ? 2 : 48) };
  expect(countBy(chosen([], waiting, inTrouble), ({ platform }) => platform)).toEqual({ x: 2, facebook: 10 });
  expect(slotsBeside(many(2, 'a', 'a'), [], { ...CAPS, ...inTrouble }, NOTHING).exceptForShares.platforms).toEqual(['x']);
});

test('a single slot can be used', () => {
  expect(chosen([], many(5, 'a', 'a'), { total: 1, perPlatform: () => 1 })).toHaveLength(1);
});
