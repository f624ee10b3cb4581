import { secret, type World } from './world.ts';
import type { PlatformName } from '../platforms/platform-name.ts';

/** What a person allowed an app: revoking it revokes every token issued from it. */
export interface Grant {
  id: string;
  client_id: string;
  account_ids: string[];
  scopes: string[];
  revoked: boolean;
}

export interface Token {
  token: string;
  platform: PlatformName;
  kind: 'code' | 'user' | 'long_user' | 'page' | 'access' | 'refresh';
  grant_id: string;
  /** The account that it acts for; null for a person's token. */
  account_id: string | null;
  /** Milliseconds since 1970; null: never. */
  expires_at: number | null;
  created_at: number;
  used: boolean;
  /** For codes: values that the exchange must repeat. */
  redirect_uri?: string;
  code_challenge?: string;
  code_challenge_method?: string;
}

export function grant(world: World, fields: Omit<Grant, 'id' | 'revoked'>): Grant {
  const made: Grant = { ...fields, id: `grant-${world.nextNumber()}`, revoked: false };
  world.grants.set(made.id, made);
  world.touched();
  return made;
}

/** How each prefix begins: by this the journal finds secrets in any text. */
export const TOKEN_PREFIX = 'sbx';

/** The prefix names platform and kind. */
export function issueToken(world: World, fields: Omit<Token, 'token' | 'created_at' | 'used'>, prefix: string): Token {
  const made: Token = { ...fields, token: secret(prefix), created_at: world.now(), used: false };
  world.tokens.set(made.token, made);
  world.touched();
  return made;
}

export type TokenState = 'unknown' | 'revoked' | 'expired' | 'valid';

export function tokenState(world: World, token: Token | undefined): TokenState {
  if (!token) return 'unknown';
  if (world.grants.get(token.grant_id)?.revoked !== false) return 'revoked';
  return token.expires_at !== null && token.expires_at <= world.now() ? 'expired' : 'valid';
}

/** The person removes the app: all access of the consent ends, for each of its accounts. */
export function revokeAccount(world: World, accountId: string): number {
  const affected = [...world.grants.values()].filter((one) => !one.revoked && one.account_ids.includes(accountId));
  for (const one of affected) one.revoked = true;
  world.touched();
  return affected.length;
}
