import type { Platform } from '@fanfare/connectors';
import type { Paused } from '../pauses/domain/paused.ts';

/** A due delivery, with what decides whether it can start. */
export interface DueDelivery {
  readonly _id: string;
  readonly organization_id: string;
  readonly integration_id: string;
  readonly platform: Platform;
}

/** What a query excludes. */
export interface Except {
  readonly platforms: readonly string[];
  readonly organizations: readonly string[];
  readonly integrations: readonly string[];
}

/** How many deliveries may run at once. */
export interface Caps {
  readonly total: number;
  /** The share of one organization and one account. They can have more while no other waits. */
  readonly perOrganization: number;
  readonly perAccount: number;
  /** At most, to one platform. */
  readonly perPlatform: (platform: Platform) => number;
}

/** Decides which deliveries get a slot. */
export interface Slots {
  /** Takes a slot within the shares of the delivery's organization and account, unless it is paused or at a limit. */
  takeWithinShare(due: DueDelivery): boolean;
  /** Takes a slot beyond the shares that no other delivery needs now. */
  borrow(due: DueDelivery): boolean;
  /** What cannot take a slot within its share: paused by operators, or at a limit. */
  readonly exceptForShares: Except;
  /** What cannot borrow a slot. Undefined when nothing can. */
  readonly exceptForBorrowing: Except | undefined;
}

/** The part of all slots that may be lent. The rest stays free, so that the next organization starts at once. */
const LENT = 5 / 8;
/** For a healthy platform. The other platforms always have the rest. */
export const MAX_SHARE_OF_ONE_PLATFORM = 3 / 4;
/** The last slots are for platforms that use few, so that two platforms that hang at once leave room for a third. */
const LAST = 7 / 8;
const FEW = 1 / 8;

/**
 * The slots with these deliveries running and those waiting. Each organization and account has a share. What exceeds a share
 * is borrowed: at most the slots to lend, divided by the number of those with running or waiting deliveries.
 */
export function slotsBeside(underWay: readonly DueDelivery[], waiting: readonly DueDelivery[], caps: Caps, paused: Paused): Slots {
  const { total, perOrganization, perAccount, perPlatform } = caps;
  let size = 0;
  const platforms = new Counts<Platform>();
  const accounts = new Counts<string>();
  const organizations = new Counts<string>();
  /** Per organization, slots within the shares of its accounts: slots that one account has borrowed take nothing from another. */
  const shares = new Counts<string>();
  const add = ({ organization_id, integration_id, platform }: DueDelivery) => {
    if (accounts.of(integration_id) < perAccount) shares.add(organization_id);
    size++;
    platforms.add(platform);
    accounts.add(integration_id);
    organizations.add(organization_id);
  };
  for (const one of underWay) add(one);

  const lent = Math.floor(total * LENT);
  const few = Math.ceil(total * FEW);
  const present = [...underWay, ...waiting];
  const divided = (ids: readonly string[], share: number) => Math.max(share, Math.floor(lent / Math.max(1, new Set(ids).size)));
  const mostOfOrganization = divided(
    present.map(({ organization_id }) => organization_id),
    perOrganization,
  );
  const mostOfAccount = divided(
    present.map(({ integration_id }) => integration_id),
    perAccount,
  );

  const isAgainst = ({ platform, organization_id, integration_id }: DueDelivery) =>
    platforms.of(platform) >= perPlatform(platform) ||
    paused.platforms.includes(platform) ||
    paused.organizations.includes(organization_id) ||
    paused.integrations.includes(integration_id);
  const isLast = () => size >= Math.ceil(total * LAST);

  return {
    takeWithinShare(due) {
      const { organization_id, integration_id, platform } = due;
      const hasShare = accounts.of(integration_id) < perAccount && shares.of(organization_id) < perOrganization;
      const isFree = size < total && hasShare && !isAgainst(due) && (!isLast() || platforms.of(platform) < few);
      if (isFree) add(due);
      return isFree;
    },
    borrow(due) {
      const { organization_id, integration_id } = due;
      const mayBorrow = accounts.of(integration_id) < mostOfAccount && organizations.of(organization_id) < mostOfOrganization;
      const isFree = size < lent && mayBorrow && !isAgainst(due);
      if (isFree) add(due);
      return isFree;
    },
    get exceptForShares() {
      return {
        platforms: [
          ...platforms.where((count, platform) => count >= perPlatform(platform) || (isLast() && count >= few)),
          ...paused.platforms,
        ],
        organizations: [...shares.where((count) => count >= perOrganization), ...paused.organizations],
        integrations: [...accounts.where((count) => count >= perAccount), ...paused.integrations],
      };
    },
    get exceptForBorrowing() {
      if (size >= lent) return undefined;
      return {
        platforms: [...platforms.where((count, platform) => count >= perPlatform(platform)), ...paused.platforms],
        organizations: [...organizations.where((count) => count >= mostOfOrganization), ...paused.organizations],
        integrations: [...accounts.where((count) => count >= mostOfAccount), ...paused.integrations],
      };
    },
  };
}

class Counts<K> {
  readonly #counts = new Map<K, number>();
  of = (key: K): number => this.#counts.get(key) ?? 0;
  add = (key: K): void => void this.#counts.set(key, this.of(key) + 1);
  where = (is: (count: number, key: K) => boolean): K[] => [...this.#counts].filter(([key, count]) => is(count, key)).map(([key]) => key);
}
