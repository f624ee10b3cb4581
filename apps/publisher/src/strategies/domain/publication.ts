import type { Platform } from '@fanfare/connectors';
import { WAITING_FOR_PRIMARY } from '../../deliveries/domain/stage.ts';

/**
 * How the deliveries of a publication depend on each other.
 *
 * - `primary_first`: the first one is sent, and the others begin when it has succeeded.
 * - `all_or_nothing`: all prepare everything that others cannot see. Then one after the other makes its post public, those first whose platform can delete
 *   posts. If one fails, those that are public are removed.
 */
export type Strategy = 'primary_first' | 'all_or_nothing';

/**
 * What is known of a delivery.
 *
 * - `WAITING_FOR_PRIMARY`: it begins when the primary one has succeeded.
 * - `preparing`: it may do everything that others cannot see.
 * - `prepared`: only its commit is left, and it is not its turn.
 * - `open`: it may be made public.
 * - `published`, `failed`, `unknown`: its result.
 * - `removing`: it was published, and is being removed because another one failed.
 * - `removed`, `kept`: whether it could be removed.
 */
export type MemberState =
  typeof WAITING_FOR_PRIMARY | 'preparing' | 'prepared' | 'open' | 'published' | 'failed' | 'unknown' | 'removing' | 'removed' | 'kept';

export interface Member {
  /** Of the delivery. */
  readonly id: string;
  readonly platform: Platform;
  readonly state: MemberState;
}

/** The deliveries of a publication, in the order in which they are made public. */
export interface Publication {
  readonly strategy: Strategy;
  readonly members: readonly Member[];
  /** The first one that failed, or whose outcome is unknown: nothing else is made public. */
  readonly broken_by?: Pick<Member, 'id' | 'platform'> & { readonly state: 'failed' | 'unknown' };
}

/** A state that a delivery has reached and that matters to the others. */
export type ReachedState = Extract<MemberState, 'prepared' | 'published' | 'failed' | 'unknown' | 'removed' | 'kept'>;

/**
 * What to do with a delivery. One that runs in a process gets no order but about itself, and `stop`.
 *
 * - `proceed`: it is due, and may be made public.
 * - `confirm`: it is public, and stays so.
 * - `fail`: it ends without having been public.
 * - `remove`: it is public, and is to be removed.
 * - `stop`: it may be made public no more, and ends unless its commit has begun.
 */
export interface Order {
  readonly id: string;
  readonly do: 'proceed' | 'confirm' | 'fail' | 'remove' | 'stop';
}

/** The publication when it begins. @param members in the order of their targets */
export function beginPublication(
  strategy: Strategy,
  members: readonly Omit<Member, 'state'>[],
  isRemovable: (platform: Platform) => boolean,
): Publication {
  if (strategy === 'primary_first') {
    return { strategy, members: members.map((member, index) => ({ ...member, state: index === 0 ? 'open' : WAITING_FOR_PRIMARY })) };
  }
  const { first = [], last = [] } = Object.groupBy(members, ({ platform }) => (isRemovable(platform) ? 'first' : 'last'));
  return { strategy, members: [...first, ...last].map((member) => ({ ...member, state: 'preparing' })) };
}

/** Decides what follows from the state that a delivery has reached. Pure; the caller writes everything in the transaction that writes that state. */
export function advance(
  before: Publication,
  id: string,
  reached: ReachedState,
): { readonly publication: Publication; readonly orders: readonly Order[] } {
  const orders: Order[] = [];
  const states = new Map(before.members.map((member) => [member.id, member.state]));
  const inState = (state: MemberState) => before.members.filter((member) => states.get(member.id) === state);
  const put = (state: MemberState, todo: Order['do'], members: readonly Pick<Member, 'id'>[]): void => {
    for (const member of members) {
      states.set(member.id, state);
      orders.push({ id: member.id, do: todo });
    }
  };
  const own = before.members.find((member) => member.id === id);
  if (!own) return { publication: before, orders };
  states.set(id, reached);
  const isPrimary = own === before.members[0];
  const isNewlyBroken =
    (reached === 'failed' || reached === 'unknown') && !before.broken_by && (before.strategy === 'all_or_nothing' || isPrimary);
  const broken_by = isNewlyBroken ? { id, platform: own.platform, state: reached } : before.broken_by;

  if (broken_by) {
    put('failed', 'fail', [...inState(WAITING_FOR_PRIMARY), ...inState('prepared')]);
    // One that waited for its turn has failed, for example because its account was disconnected. Those of `primary_first` have the primary one's success.
    if (before.strategy === 'all_or_nothing') put('open', 'stop', inState('open'));
    // After an unknown outcome, a person decides: nothing is removed on a guess.
    if (before.strategy === 'all_or_nothing' && broken_by.state === 'failed') put('removing', 'remove', inState('published'));
  } else if (before.strategy === 'primary_first') {
    if (isPrimary && reached === 'published') put('open', 'proceed', inState(WAITING_FOR_PRIMARY));
  } else if (inState('preparing').length + inState('open').length === 0) {
    put('open', 'proceed', inState('prepared').slice(0, 1));
  }
  if (before.strategy === 'all_or_nothing') orders.push(...confirmed().map(({ id: one }) => ({ id: one, do: 'confirm' as const })));
  const members = before.members.map((member) => ({ ...member, state: states.get(member.id) ?? member.state }));
  return { publication: { ...before, members, ...(broken_by && { broken_by }) }, orders };

  /** Those of which it is known from now on that they are not removed: all are public, or a person decides. */
  function confirmed(): readonly Member[] {
    if (isNewlyBroken || inState('published').length === before.members.length) return inState('published');
    return broken_by && reached === 'published' ? inState('published').filter((member) => member === own) : [];
  }
}
