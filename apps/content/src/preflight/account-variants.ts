import { optionsOver, type AccountKind, type Options, type PlatformRules } from '@fanfare/connectors/preflight';

/** A connected account that a post goes to. Its settings stand behind what the post says. Undefined is what is not known. */
export interface CheckedAccount {
  readonly platform: string;
  readonly integrationId?: string | undefined;
  /** The platform's id of it. */
  readonly accountId?: string | undefined;
  readonly settings: Options | undefined;
}

/** What a platform is told besides the content, and by whom. */
export interface AccountVariant {
  readonly kind: AccountKind | undefined;
  readonly options: Options;
  /** Not where an account's part is not known. */
  readonly isComplete: boolean;
  /** The accounts that it goes by. */
  readonly integrationIds: readonly string[];
}

/** The ways in which a post goes to a platform, one for each that its accounts differ in: they may be of several kinds, and have settings of their own. */
export function variantsFor(own: Options, accounts: readonly CheckedAccount[], { accountKind }: PlatformRules): AccountVariant[] {
  if (accounts.length === 0) return [{ kind: undefined, options: own, isComplete: false, integrationIds: [] }];
  const ways = new Map<string, AccountVariant>();
  for (const { integrationId, accountId, settings } of accounts) {
    const way = {
      kind: accountId === undefined ? undefined : accountKind?.(accountId),
      options: optionsOver(settings ?? {}, own),
      isComplete: settings !== undefined,
    };
    const key = JSON.stringify(way);
    const before = ways.get(key)?.integrationIds ?? [];
    ways.set(key, { ...way, integrationIds: integrationId === undefined ? before : [...before, integrationId] });
  }
  return [...ways.values()];
}
