import type { Platform } from '@fanfare/connectors/platform';
import { checkOptions, platformRules } from '@fanfare/connectors/preflight';
import type { OverrideInput } from '@fanfare/contracts/content';
import { DomainError, type FieldError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import { listBusinessIntegrations } from './store/integrations.ts';

/**
 * Checks overrides that name an account: the business has the account, and its platform has the options.
 * @throws DomainError invalid_value for accounts that this business has never had, or validation_failed for options; each lists all of them
 */
export async function checkOverrideAccounts(db: Db, businessId: string, overrides: readonly OverrideInput[]): Promise<void> {
  const named = overrides.flatMap(({ override }, index) => (override?.integrationId === undefined ? [] : [{ override, index }]));
  if (named.length === 0) return;
  const platforms = new Map((await listBusinessIntegrations(db, businessId)).map(({ _id, platform }) => [_id, platform]));
  const unknown = named
    .filter(({ override }) => !platforms.has(override.integrationId ?? ''))
    .map(({ index }) => ({
      param: `platform_overrides.${index}.integration_id`,
      code: 'invalid_value' as const,
      detail: 'This business has no connected account with this id.',
    }));
  rejectIfAny(unknown);
  const wrong = named.flatMap(({ override, index }) => {
    const rules = platformRules[platforms.get(override.integrationId ?? '') as Platform];
    const invalid = rules && override.options ? checkOptions(rules, override.options).filter(({ rule }) => rule === 'invalid') : [];
    return invalid.map(({ field, message }) => ({
      param: `platform_overrides.${index}.${field}`,
      code: 'validation_failed' as const,
      detail: message,
    }));
  });
  rejectIfAny(wrong);
}

function rejectIfAny(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first) throw new DomainError(first.code, first.detail, { param: first.param, errors });
}
