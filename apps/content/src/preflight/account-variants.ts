import { optionsOver, type AccountKind, type Options, type PlatformRules } from '@fanfare/connectors/preflight';

/** A connected account that a post goes to. Its settings are the defaults of the post's options. Undefined fields are unknown. */
export interface CheckedAccount {
  readonly platform: string;
  readonly integrationId?: string | undefined;
  /** The account's id on the platform. */
  readonly accountId?: string | undefined;
  readonly settings: Options | undefined;
}

/** The kind and the options that one or more accounts of a platform have in common. */
export interface AccountVariant {
  readonly kind: AccountKind | undefined;
  readonly options: Options;
  /** Whether the settings of the account are known. */
  readonly isComplete: boolean;
  /** The accounts that have this kind and these options. */
  readonly integrationIds: readonly string[];
}

/** Groups the accounts of a platform by kind and options: a post is checked once for each group. */
export function variantsFor(own: Options, accounts: readonly CheckedAccount[], { accountKind }: PlatformRules): AccountVariant[] {
  if (accounts.length === 0) return [{ kind: undefined, options: own, isComplete: false, integrationIds: [] }];
  const variants = new Map<string, AccountVariant>();
  for (const { integrationId, accountId, settings } of accounts) {
    const variant = {
      kind: accountId === undefined ? undefined : accountKind?.(accountId),
      options: optionsOver(settings ?? {}, own),
      isComplete: settings !== undefined,
    };
    const key = JSON.stringify(variant);
    const before = variants.get(key)?.integrationIds ?? [];
    variants.set(key, { ...variant, integrationIds: integrationId === undefined ? before : [...before, integrationId] });
  }
  return [...variants.values()];
}
