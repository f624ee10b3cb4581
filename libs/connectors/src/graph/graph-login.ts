import { authorizeUrl } from '../calls/authorize-url.ts';
import type { OAuth, OAuthApp, Tokens } from '../oauth.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { scopesToRequest, type FeatureScopes } from '../features.ts';
import { at, listAt, numberAt, objectIn, requiredAt, stringAt, unreadable, webUrl } from '../calls/fields.ts';
import type { PlatformHttp } from '../calls/http.ts';
import { graphRules } from './error-rules.ts';
import { graphGetAs, graphSend } from './graph-call.ts';
import { graphFailure } from './graph-failure.ts';
import { DIALOG_URL, GRAPH_URL, MAX_PAGES, PAGE_SIZE } from './limits.ts';

/** A page that a person manages, with the token to act as it. Made from a long-lived token, it has no expiry. */
export interface GraphPage {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly accessToken: string;
  readonly pictureUrl: string | undefined;
}

/** Facebook Login (platform reference 1.1): a person's code is exchanged for a long-lived token, and that for the tokens of the pages. */
export function loginUrl(features: FeatureScopes): OAuth['authorizeUrl'] {
  return (app, { redirectUri, state }) =>
    authorizeUrl(DIALOG_URL, {
      client_id: app.clientId,
      redirect_uri: redirectUri,
      state,
      response_type: 'code',
      scope: scopesToRequest(features, app).join(','),
    });
}

/** Takes the place of a refresh token: the person's own token, with which the pages' tokens are read again. */
type UserToken = Required<Pick<Tokens, 'refreshToken'>> & Pick<Tokens, 'refreshExpiresInMs'>;

export async function exchangeCode(http: PlatformHttp, app: OAuthApp, request: { code: string; redirectUri: string }): Promise<UserToken> {
  const response = await graphSend(http, {
    method: 'GET',
    path: '/oauth/access_token',
    query: { client_id: app.clientId, client_secret: app.clientSecret, redirect_uri: request.redirectUri, code: request.code },
  });
  return extendUserToken(http, app, requiredAt(response, 'access_token'));
}

/** About 60 days; the exchange works only while the old token is valid. Meta has no refresh tokens; this takes their place. */
export async function extendUserToken(http: PlatformHttp, app: OAuthApp, token: string): Promise<UserToken> {
  const query = { grant_type: 'fb_exchange_token', client_id: app.clientId, client_secret: app.clientSecret, fb_exchange_token: token };
  const response = await graphSend(http, { method: 'GET', path: '/oauth/access_token', query });
  const seconds = numberAt(response, 'expires_in');
  return { refreshToken: requiredAt(response, 'access_token'), ...(seconds !== undefined && { refreshExpiresInMs: seconds * 1_000 }) };
}

interface GraphGrant {
  /** The scopes that the person granted, maybe fewer than requested. */
  readonly scopes: readonly string[];
  /** The person's id, scoped to our app: Meta's signed requests contain it. */
  readonly userId?: string;
}

/** The person and scopes of a person's token. */
export async function readGrant(http: PlatformHttp, app: OAuthApp, token: string): Promise<GraphGrant> {
  const query = { input_token: token, access_token: appToken(app) };
  const response = await graphSend(http, { method: 'GET', path: '/debug_token', query });
  const userId = stringAt(response, 'data', 'user_id');
  return {
    scopes: listAt(response, 'data', 'scopes').filter((scope) => typeof scope === 'string'),
    ...(userId !== undefined && { userId }),
  };
}

/** Whose accounts lose their access with `revokeGrant`. */
export const revokes: NonNullable<OAuth['revokes']> = ['facebook', 'instagram'];

/**
 * Removes our app from the person's account (developers.facebook.com/docs/graph-api/reference/user/permissions). Meta has no call for a single page.
 * The app's own token makes the call, because the pages' tokens may outlive the person's.
 */
export const revokeGrant: NonNullable<OAuth['revoke']> = async (http, app, { userId, tokens }) => {
  const person = userId ?? (await readGrant(http, app, tokens.refreshToken ?? tokens.accessToken)).userId;
  if (person === undefined) throw pageUnavailable();
  const response = await http.send({
    method: 'DELETE',
    url: `${GRAPH_URL}/${encodeURIComponent(person)}/permissions`,
    query: { access_token: appToken(app) },
  });
  const error = at(response.json, 'error');
  const hasEnded = numberAt(error, 'error_subcode') === NOT_AUTHORIZED || numberAt(error, 'error_subcode') === NO_SUCH_OBJECT;
  if (hasEnded) return;
  if (response.status >= 300 || error !== undefined) throw graphFailure(response, graphRules);
  // As documented, and as actually returned.
  if (response.json !== true) objectIn(response);
};

/** Subcodes: the person does not use our app (any more). */
const NOT_AUTHORIZED = 458;
const NO_SUCH_OBJECT = 33;

const appToken = (app: OAuthApp): string => `${app.clientId}|${app.clientSecret}`;

/** Every page on which the person may publish. */
export async function listPages(http: PlatformHttp, app: OAuthApp, userToken: string): Promise<readonly GraphPage[]> {
  const pages: GraphPage[] = [];
  let after: string | undefined;
  for (let round = 0; round < MAX_PAGES; round++) {
    const query = { fields: 'id,name,username,access_token,tasks,picture', limit: PAGE_SIZE, after };
    const response = await graphGetAs(http, app, userToken, '/me/accounts', query);
    const data = at(response, 'data');
    // A response without a list does not come from Facebook: treating it as "no pages" would disconnect accounts.
    if (!Array.isArray(data)) throw unreadable('no data in the response');
    pages.push(...data.filter(mayPublish).map(readPage));
    after = nextCursor(response);
    if (after === undefined) break;
  }
  return pages;
}

/** @throws PlatformFailure `token_expired` if the person no longer has the page, or has revoked our app's access to it */
export function pageUnavailable(): PlatformFailure {
  return new PlatformFailure('token_expired', 'This login no longer gives access to the account.', { effect: 'rejected' });
}

/** The cursor of the next page of a list. `paging.next` itself contains a token and is not called. */
export function nextCursor(response: unknown): string | undefined {
  const next = stringAt(response, 'paging', 'next');
  if (next === undefined) return undefined;
  return (URL.canParse(next) ? new URL(next).searchParams.get('after') : null) ?? stringAt(response, 'paging', 'cursors', 'after');
}

function mayPublish(page: unknown): boolean {
  const tasks = at(page, 'tasks');
  return stringAt(page, 'access_token') !== undefined && (!Array.isArray(tasks) || tasks.includes('CREATE_CONTENT'));
}

function readPage(page: unknown): GraphPage {
  const id = requiredAt(page, 'id');
  return {
    id,
    name: stringAt(page, 'name') ?? id,
    username: stringAt(page, 'username') ?? id,
    accessToken: requiredAt(page, 'access_token'),
    pictureUrl: webUrl(stringAt(page, 'picture', 'data', 'url')),
  };
}
