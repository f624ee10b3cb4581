import { PLATFORMS, type Platform } from '@fanfare/connectors';
import fc from 'fast-check';
import { WAITING_FOR_PRIMARY } from '../../deliveries/domain/stage.ts';
import {
  advance,
  beginPublication,
  type MemberState,
  type Order,
  type Publication,
  type ReachedState,
  type Strategy,
} from './publication.ts';

const isRemovable = (platform: Platform) => platform !== 'instagram' && platform !== 'tiktok';

/** What a platform will do with each delivery. */
interface Fate {
  readonly platform: Platform;
  readonly preparation: 'prepared' | 'failed';
  readonly commit: 'published' | 'failed' | 'unknown';
  readonly removal: 'removed' | 'kept';
  /** Whether its account may be disconnected while it waits for others. */
  readonly isLost: boolean;
}

const fate: fc.Arbitrary<Fate> = fc.record({
  platform: fc.constantFrom(...PLATFORMS),
  preparation: fc.constantFrom('prepared' as const, 'prepared' as const, 'prepared' as const, 'failed' as const),
  commit: fc.constantFrom('published' as const, 'published' as const, 'published' as const, 'failed' as const, 'unknown' as const),
  removal: fc.constantFrom('removed' as const, 'kept' as const),
  isLost: fc.constantFrom(false, false, false, true),
});

type World = ReturnType<typeof simulate>;

/**
 * The engine and the platforms, in a random order of what happens: `pick` chooses among the deliveries that a process works on.
 * `public` has the deliveries in the order in which they became public.
 */
function simulate(strategy: Strategy, fates: readonly Fate[], pick: (count: number) => number) {
  const all = new Map(fates.map((one, index) => [`d${index}`, one]));
  let publication: Publication = beginPublication(
    strategy,
    [...all].map(([id, { platform }]) => ({ id, platform })),
    isRemovable,
  );
  const stateOf = (id: string): MemberState => publication.members.find((member) => member.id === id)!.state;
  const working = new Set([...all.keys()].filter((id) => stateOf(id) !== WAITING_FOR_PRIMARY));
  const removing = new Set<string>();
  const becamePublic: string[] = [];
  const publicNow = new Set<string>();
  const begun = new Set(working);
  const confirmed: string[] = [];
  const reach = (id: string, state: ReachedState) => {
    const next = advance(publication, id, state);
    publication = next.publication;
    for (const order of next.orders) obey(order);
  };
  const stopped = new Set<string>();
  const obey = ({ id, do: what }: Order) => {
    if (what === 'stop') return void stopped.add(id);
    // Nobody works on it: only its own state may end the delivery of a process.
    if (working.has(id)) throw new Error(`${id} is being worked on, and gets the order to ${what}.`);
    if (what === 'proceed') begun.add(id);
    if (what === 'proceed') working.add(id);
    if (what === 'confirm') confirmed.push(id);
    if (what === 'remove') removing.add(id);
  };
  const lost = () =>
    [...all].flatMap(([id, { isLost }]) => (isLost && [WAITING_FOR_PRIMARY, 'prepared'].includes(stateOf(id)) ? [id] : []));
  const steps = () => [...working, ...removing, ...lost()];
  while (working.size + removing.size > 0) {
    const id = steps()[pick(steps().length)]!;
    const { preparation, commit, removal } = all.get(id)!;
    if (lost().includes(id) || stopped.delete(id)) {
      working.delete(id);
      reach(id, 'failed');
      continue;
    }
    if (removing.delete(id)) {
      if (removal === 'removed') publicNow.delete(id);
      reach(id, removal);
      continue;
    }
    working.delete(id);
    if (stateOf(id) === 'preparing' || (strategy === 'primary_first' && preparation === 'failed')) {
      reach(id, preparation);
      continue;
    }
    // With `all_or_nothing`, everything must be prepared, and no other commit be under way.
    if (strategy === 'all_or_nothing') {
      for (const other of publication.members) if (other.id !== id) expect(['prepared', 'published']).toContain(other.state);
    }
    if (commit !== 'failed') becamePublic.push(id);
    if (commit === 'published') publicNow.add(id);
    reach(id, commit);
  }
  return { publication, becamePublic, publicNow, begun, confirmed, all, stateOf };
}

const worlds = (strategy: Strategy, check: (world: World) => void) =>
  fc.assert(
    fc.property(fc.array(fate, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat()), (fates, choices) => {
      check(simulate(strategy, fates, (count) => Number(choices.next().value) % count));
    }),
    { numRuns: 500 },
  );

const ENDED: readonly MemberState[] = ['published', 'failed', 'unknown', 'removed', 'kept'];

test('primary_first: nothing else begins unless the primary one succeeded, and all end', () => {
  worlds('primary_first', ({ publication, begun, all, stateOf }) => {
    expect(publication.members.every(({ state }) => ENDED.includes(state))).toBe(true);
    const isLost = (id: string) => all.get(id)!.isLost && stateOf(id) === 'failed';
    if (stateOf('d0') === 'published') expect([...all.keys()].filter((id) => !begun.has(id) && !isLost(id))).toEqual([]);
    else expect([...begun]).toEqual(['d0']);
  });
});

test('all_or_nothing: all are public at the end or, without a doubt, only those that could not be removed; and all end', () => {
  worlds('all_or_nothing', ({ publication, publicNow, becamePublic, confirmed, all }) => {
    const { members, broken_by } = publication;
    expect(members.every(({ state }) => ENDED.includes(state))).toBe(true);
    if (!broken_by) expect(publicNow.size).toBe(members.length);
    else if (broken_by.state === 'failed') expect([...publicNow].every((id) => all.get(id)?.removal === 'kept')).toBe(true);
    // What is not known to be public is removed from nowhere.
    else expect(members.some(({ state }) => state === 'removing' || state === 'removed')).toBe(false);
    if ([...all.values()].some(({ preparation }) => preparation === 'failed')) expect(becamePublic).toEqual([]);
    // Nothing that was confirmed is removed later, and each success is confirmed once.
    expect(confirmed.toSorted()).toEqual(
      members
        .filter(({ state }) => state === 'published')
        .map(({ id }) => id)
        .toSorted(),
    );
    // Those that stay for ever come last.
    const removable = becamePublic.map((id) => isRemovable(all.get(id)!.platform));
    expect(removable).toEqual(removable.toSorted((a, b) => Number(b) - Number(a)));
  });
});

test('one target is all', () => {
  const one = beginPublication('all_or_nothing', [{ id: 'a', platform: 'x' }], isRemovable);
  expect(advance(one, 'a', 'prepared').orders).toEqual([{ id: 'a', do: 'proceed' }]);
});
