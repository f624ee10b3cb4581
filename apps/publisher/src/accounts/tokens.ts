import type { Context } from '../context.ts';
import type { IntegrationDocument } from '../store/integrations.ts';

/** What is sealed in an integration. */
export interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
}

const secretOf = (integrationId: string) => `integration:${integrationId}`;

export function sealTokens({ keyring }: Context, integrationId: string, tokens: StoredTokens): string {
  const { accessToken, refreshToken } = tokens;
  return keyring.seal(JSON.stringify({ accessToken, ...(refreshToken !== undefined && { refreshToken }) }), secretOf(integrationId));
}

export function openTokens({ keyring }: Context, integration: Pick<IntegrationDocument, '_id' | 'tokens'>): StoredTokens {
  return JSON.parse(keyring.open(integration.tokens, secretOf(integration._id))) as StoredTokens;
}
