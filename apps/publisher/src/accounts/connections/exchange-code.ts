import { oauthOf, type GrantedAccount, type OAuthApp } from '@fanfare/connectors';
import type { Context } from '../../context.ts';
import { verifierOf } from '../domain/secret-names.ts';
import type { ConnectionDocument } from '../store/connections.ts';

/**
 * Turns an authorization code into the accounts of the login, with their tokens.
 * @throws PlatformFailure
 */
export async function exchangeCode(
  { keyring, platforms }: Context,
  app: OAuthApp,
  { _id, platform, login, redirect_uri: redirectUri, code_verifier: sealed }: ConnectionDocument,
  code: string,
): Promise<readonly GrantedAccount[]> {
  const codeVerifier = sealed && keyring.open(sealed, verifierOf(_id));
  const request = { code, redirectUri, ...(codeVerifier !== undefined && { codeVerifier }) };
  return oauthOf(platform, login).exchangeCode(platforms.http(platform), app, request);
}
