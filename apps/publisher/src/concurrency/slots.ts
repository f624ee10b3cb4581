import { PLATFORMS, type Platform } from '@fanfare/connectors';
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
  /** Organizations that are at their share, and the platforms which that excludes: its other platforms have slots beyond the share. */
  readonly atShare: readonly { readonly organizationId: string; readonly platforms: readonly string[] }[];
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
interface Slots {
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
/** The part of all slots that is reserved, in equal parts, for the platforms that one platform leaves. */
const RESERVED = 1 / 4;
/** What each platform of an organization has beyond the organization's share: one that hangs must not delay the others. */
const LEAST_OF_ORGANIZATION = 2;

/** The slots that each platform always has. */
const reservedOf = (total: number): number => Math.floor((total * RESERVED) / (PLATFORMS.length - 1));

/** How many slots a healthy platform has at most. */
export const mostOfPlatform = (total: number): number => total - (PLATFORMS.length - 1) * reservedOf(total);

/**
 * The slots with these deliveries running and those waiting. Each organization and account has a share. What exceeds a share
 * is borrowed: at most the slots to lend, divided by the number of those with running or waiting deliveries.
 *
 * When the limit of a platform falls because it hangs, the deliveries that exceed it do nothing but wait. They count for their platform and account, and
 * take no slot from anybody else.
 */
export function slotsBeside(underWay: readonly DueDelivery[], waiting: readonly DueDelivery[], caps: Caps, paused: Paused): Slots {
  const { total, perOrganization, perAccount, perPlatform } = caps;
  const reserved = reservedOf(total);
  let size = 0;
  /** Of the slots that are reserved for platforms, those that are taken. */
  let taken = 0;
  const ofPlatforms = new Counts<Platform>();
  const accounts = new Counts<string>();
  const organizations = new Counts<string>();
  const platformsByOrganization = new Map<string, Counts<Platform>>();
  /** Per organization, slots within the shares of its accounts: slots that one account has borrowed take nothing from another. */
  const shares = new Counts<string>();
  const platformsIn = (organizationId: string) => {
    const counts = platformsByOrganization.get(organizationId) ?? new Counts<Platform>();
    platformsByOrganization.set(organizationId, counts);
    return counts;
  };
  const add = ({ organization_id, integration_id, platform }: DueDelivery) => {
    const isWithinShare = accounts.of(integration_id) < perAccount;
    accounts.add(integration_id);
    ofPlatforms.add(platform);
    platformsIn(organization_id).add(platform);
    const count = ofPlatforms.of(platform);
    if (count > perPlatform(platform)) return;
    size++;
    if (count <= reserved) taken++;
    organizations.add(organization_id);
    if (isWithinShare) shares.add(organization_id);
  };
  for (const one of underWay) add(one);

  const lent = Math.floor(total * LENT);
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

  const isFull = (platform: Platform) => {
    const count = ofPlatforms.of(platform);
    const keptForOthers = (PLATFORMS.length - 1) * reserved - (taken - Math.min(count, reserved));
    return count >= perPlatform(platform) || size + keptForOthers >= total;
  };
  const isAgainst = ({ platform, organization_id, integration_id }: DueDelivery) =>
    isFull(platform) ||
    paused.platforms.includes(platform) ||
    paused.organizations.includes(organization_id) ||
    paused.integrations.includes(integration_id);
  const hasShare = ({ organization_id, integration_id, platform }: DueDelivery) =>
    accounts.of(integration_id) < perAccount &&
    (shares.of(organization_id) < perOrganization || platformsIn(organization_id).of(platform) < LEAST_OF_ORGANIZATION);

  return {
    takeWithinShare(due) {
      const isFree = hasShare(due) && !isAgainst(due);
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
        platforms: [...ofPlatforms.where((_, platform) => isFull(platform)), ...paused.platforms],
        organizations: paused.organizations,
        integrations: [...accounts.where((count) => count >= perAccount), ...paused.integrations],
        atShare: shares
          .where((count, organizationId) => count >= perOrganization && !paused.organizations.includes(organizationId))
          .map((organizationId) => ({
            organizationId,
            platforms: platformsIn(organizationId).where((count) => count >= LEAST_OF_ORGANIZATION),
          })),
      };
    },
    get exceptForBorrowing() {
      if (size >= lent) return undefined;
      return {
        platforms: [...ofPlatforms.where((_, platform) => isFull(platform)), ...paused.platforms],
        organizations: [...organizations.where((count) => count >= mostOfOrganization), ...paused.organizations],
        integrations: [...accounts.where((count) => count >= mostOfAccount), ...paused.integrations],
        atShare: [],
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
