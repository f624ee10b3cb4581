import type { Context } from '../../context.ts';
import { tokensOf } from '../domain/secret-names.ts';
import type { IntegrationDocument } from '../store/integrations.ts';

/** The encrypted part of an integration. */
export interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
}

export function sealTokens({ keyring }: Context, integrationId: string, tokens: StoredTokens): string {
  const { accessToken, refreshToken } = tokens;
  return keyring.seal(JSON.stringify({ accessToken, ...(refreshToken !== undefined && { refreshToken }) }), tokensOf(integrationId));
}

export function openTokens({ keyring }: Context, integration: Pick<IntegrationDocument, '_id' | 'tokens'>): StoredTokens {
  return JSON.parse(keyring.open(integration.tokens, tokensOf(integration._id))) as StoredTokens;
}

/** Secrets of an account, to be masked wherever they are quoted. */
export const secretsOf = ({ accessToken, refreshToken }: StoredTokens): string[] => [
  accessToken,
  ...(refreshToken === undefined ? [] : [refreshToken]),
];

/** Whether both have the same tokens, decrypted: operators may have them re-encrypted at any time. */
export function sameTokens(context: Context, a: Pick<IntegrationDocument, '_id' | 'tokens'>, b: typeof a): boolean {
  if (a.tokens === b.tokens) return true;
  if (a.tokens === '' || b.tokens === '') return false;
  try {
    const [one, other] = [openTokens(context, a), openTokens(context, b)];
    return one.accessToken === other.accessToken && one.refreshToken === other.refreshToken;
  } catch {
    return false;
  }
}
