import { z } from 'zod';
import { access, arriveFromOidc, beginOidc, clientOf, finishOidc } from '../../accounts/index.ts';
import { rawRoute } from '../../http/raw-route.ts';
import { route, type Route } from '../../http/route.ts';
import { text } from '../../text/text.ts';
import { selfLink } from '../common/self-link.ts';
import { signedIn, toSignedIn } from '../sign-in/signed-in.ts';
import { exampleSignedIn } from '../sign-in/signed-in-example.ts';

const open = { tag: 'Sign-in', scope: 'none', access: access.usersOnly('viewer'), query: {} } as const;
const provider = { provider: z.string().meta({ example: 'sso' }) };

const listOidcProviders = route({
  ...open,
  method: 'get',
  path: '/api/auth/oidc',
  operationId: 'list_oidc_providers',
  sdkMethod: 'oidc.listProviders',
  summary: 'List OpenID Connect providers',
  description: 'The providers that users can sign in with, and whether anyone can sign up.',
  params: {},
  returns: z
    .object({
      self: selfLink(),
      items: z.array(z.object({ id: z.string().meta({ example: 'sso' }), name: z.string() }).meta({ id: 'OidcProvider' })),
      next: z.null(),
      sign_up: z.string().meta({ description: 'open; or invited: only invited people can sign up.', example: 'invited' }),
    })
    .meta({ id: 'OidcProviders' }),
  self: 'page',
  status: 200,
  examples: { response: { items: [{ id: 'sso', name: 'Company account' }], next: null, sign_up: 'invited' } },
  async handler({ identity: { oidc }, config }) {
    return { body: { items: oidc ? [{ id: oidc.id, name: oidc.name }] : [], next: null, sign_up: config.signUp } };
  },
});

const beginOidcSignIn = route({
  ...open,
  method: 'post',
  path: '/api/auth/oidc/{provider}',
  operationId: 'begin_oidc_sign_in',
  sdkMethod: 'oidc.begin',
  summary: 'Start signing in with a provider',
  description:
    'Keep `binding` in the browser and open `authorize_url`. The browser returns to `/sign-in/callback?code=…` of the web app (or `/sign-in?error=…`). Exchange code and binding for tokens within a minute.',
  params: provider,
  body: z.strictObject({}).meta({ id: 'BeginOidcSignIn' }),
  returns: z.object({ authorize_url: z.url(), binding: z.string() }).meta({ id: 'OidcSignIn' }),
  status: 200,
  errors: ['UPSTREAM_PROVIDER_ERROR'],
  examples: { body: {}, response: { authorize_url: 'https://accounts.example.com/authorize?client_id=fanfare&state=…', binding: 'Jx4k…' } },
  async handler(context, { params }) {
    const { authorizeUrl, binding } = await beginOidc(context, params.provider);
    return { body: { authorize_url: authorizeUrl, binding } };
  },
});

const arriveFromOidcProvider = rawRoute({
  ...open,
  method: 'get',
  path: '/api/auth/oidc/{provider}/callback',
  operationId: 'arrive_from_oidc_provider',
  summary: 'Return from a provider (OpenID Connect callback)',
  description: 'The redirect URI to register with the OpenID Connect provider. API clients do not call it. Redirects to the web app.',
  params: provider,
  // Providers may add parameters (RFC 6749, 4.1.2).
  anyQuery: true,
  status: 303,
  openapi: { response: { 'application/json': { schema: z.object({}).meta({ id: 'OidcArrival' }), example: {} } } },
  async handler(context, exchange) {
    const { request, params } = exchange;
    const { search } = new URL(request.originalUrl, context.config.baseUrl);
    return { body: {}, location: await arriveFromOidc(context, params.provider, search, clientOf(exchange)) };
  },
});

const finishOidcSignIn = route({
  ...open,
  method: 'post',
  path: '/api/auth/oidc/token',
  operationId: 'finish_oidc_sign_in',
  sdkMethod: 'oidc.finish',
  summary: 'Exchange a sign-in code for tokens',
  description:
    'The last step of signing in with a provider. Send the `code` with which the browser returned to the web app, and the `binding` of the response that started the sign-in. The code works once, within a minute.',
  params: {},
  body: z.strictObject({ code: text(200).min(1), binding: text(200).min(1) }).meta({ id: 'FinishOidcSignIn' }),
  returns: signedIn,
  status: 200,
  errors: ['authentication_required'],
  examples: { body: { code: 'Vt9q…', binding: 'Jx4k…' }, response: exampleSignedIn },
  handler: async (context, exchange) => ({ body: toSignedIn(await finishOidc(context, exchange.body, clientOf(exchange))) }),
});

export const oidcRoutes: readonly Route[] = [listOidcProviders, beginOidcSignIn, arriveFromOidcProvider, finishOidcSignIn];
