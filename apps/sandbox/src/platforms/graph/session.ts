import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PretendApp } from '../../config.ts';
import { BEARER_OR_OAUTH, bearerOf } from '../../wire/bearer-of.ts';
import type { Call } from '../../wire/call.ts';
import { Rejection } from '../../wire/reply.ts';
import { tokenState, type Grant, type Token } from '../../world/credentials.ts';
import type { Sandbox } from '../platform.ts';
import { fieldsOfApp } from './app-fields.ts';
import { missingPermission, reject, sessionEnded } from './errors.ts';
import { text, type Params } from './params.ts';

export interface Session {
  token: Token;
  grant: Grant;
  app: PretendApp;
}

/** The caller; rejects missing, malformed, expired or revoked tokens and wrong proofs like the Graph API. */
export function session(
  call: Call,
  params: Params,
  sandbox: Sandbox,
  options: { proof: 'always' | 'never' } = { proof: 'always' },
): Session {
  const presented = presentedToken(call, params);
  if (presented === undefined) {
    throw reject({ message: 'An access token is required to request this resource.', code: 104, status: 400 });
  }
  const token = sandbox.world.tokens.get(presented);
  const state = tokenState(sandbox.world, token);
  if (!token || state === 'unknown' || !isGraphToken(token)) throw new Rejection(sessionEnded('malformed'));
  if (isInstagramLogin(token) ? call.host === 'graph.facebook.com' : call.host === 'graph.instagram.com')
    throw new Rejection(sessionEnded('malformed'));
  if (state !== 'valid') throw new Rejection(sessionEnded(state));
  const grant = sandbox.world.grants.get(token.grant_id)!;
  const app = sandbox.config.apps.find((one) => one.client_id === grant.client_id);
  if (!app) throw reject({ message: 'Error validating application. Application has been deleted.', code: 190, status: 401 });
  if (options.proof === 'always') checkProof(app, token.token, params, call);
  return { token, grant, app };
}

export function requireScope(session: Session, ...scopes: string[]): void {
  for (const scope of scopes) if (!session.grant.scopes.includes(scope)) throw missingPermission(scope);
}

/** Page edges accept only the Page's own token. */
export function requirePageToken(session: Session, pageId: string): void {
  if (session.token.kind !== 'page') {
    throw reject({
      message: '(#190) This method must be called with a Page Access Token',
      code: 190,
      subcode: 2_069_032,
      title: 'User access token is not supported',
      userMessage: 'A Page access token is required for this call for the new Pages experience.',
    });
  }
  if (session.token.account_id !== pageId)
    throw reject({ message: '(#200) The Page access token belongs to another Page', code: 200, status: 403 });
}

function proofOf(appSecret: string, accessToken: string): string {
  return createHmac('sha256', appSecret).update(accessToken).digest('hex');
}

/** Checked whenever it is sent; required by the app's setting, on graph.facebook.com. */
function checkProof(app: PretendApp, accessToken: string, params: Params, call: Call): void {
  const sent = text(params, 'appsecret_proof');
  if (sent === undefined) {
    if (!fieldsOfApp(app).require_appsecret_proof || call.host !== 'graph.facebook.com') return;
    throw reject({ message: 'API calls from the server require an appsecret_proof argument', type: 'GraphMethodException', code: 100 });
  }
  const expected = Buffer.from(proofOf(app.client_secret, accessToken));
  const given = Buffer.from(sent);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) {
    throw reject({ message: 'Invalid appsecret_proof provided in the API argument', type: 'GraphMethodException', code: 100 });
  }
}

export function presentedToken(call: Call, params: Params): string | undefined {
  return text(params, 'access_token') ?? bearerOf(call, BEARER_OR_OAUTH);
}

/** Tokens of Instagram Login belong to an account; those of Facebook Login to a person or a Page, whatever the app. Neither host reads the other's. */
const isInstagramLogin = (token: Token) => token.platform === 'instagram' && token.kind !== 'page' && token.account_id !== null;

/** Only Facebook and Instagram issue tokens of these kinds. */
const isGraphToken = ({ kind }: Token) => kind === 'user' || kind === 'long_user' || kind === 'page';
