import type { LoginName, OAuth } from '../../src/oauth.ts';
import type { Platform } from '../../src/platform.ts';
import { connectorFor, oauthOf } from '../../src/registry.ts';
import { loginNamesOf } from '../../src/sign-in.ts';
import { aCall, anApp, anAppOf } from '../a-content.ts';
import { conversationsOf, everyPlatform, type Login } from './conversations.ts';
import { everyFlow, type PublishingFlow } from './flows.ts';
import { secrets } from '../secrets.ts';
import type { Talk } from './talk.ts';
import { commitOf, type Taken } from './walk.ts';

const committedAfter = new Date('2026-11-21T10:00:00Z');
const redirectUri = 'https://app.example.com/callback';

/** Everything that is said with a platform besides publishing, by platform. */
export const everyTalk: readonly { readonly platform: Platform; readonly talk: Talk }[] = [
  ...everyPlatform.flatMap((platform) => talksOf(platform).map((talk) => ({ platform, talk }))),
  ...everyFlow.map((publishing) => ({ platform: publishing.platform, talk: findLost(publishing) })),
];

function talksOf(platform: Platform): Talk[] {
  const { oauth, choices = {}, unpublish } = connectorFor(platform);
  const { login, deletion } = conversationsOf(platform);
  const account = accountOf(login);
  const { revoke } = oauth;
  return [
    ...signingIn(login, oauth),
    ...loginNamesOf(platform).flatMap((name) => {
      const other = login.others?.[name];
      return other ? signingIn(other, oauthOf(platform, name), name) : [];
    }),
    ...(revoke
      ? [
          {
            key: 'revoke' as const,
            responses: login.revoke ?? [],
            run: (http) => revoke(http, anApp, { ...account, userId: '1015' }),
          } satisfies Talk,
        ]
      : []),
    ...(unpublish && deletion
      ? [
          {
            key: 'unpublish' as const,
            responses: deletion.deleted,
            run: (http) => unpublish(aCall(http, login.accountId), deletion.publishId),
          } satisfies Talk,
        ]
      : []),
    ...Object.entries(choices).map(([option, list]): Talk => {
      const responses = login.choices?.[option] ?? [];
      return { key: `choices_${option}`, responses, run: (http) => list(aCall(http), { given: login.chosenBefore ?? {} }) };
    }),
  ];
}

/** With the platform's usual way to sign in, or another one. */
function signingIn(login: Login, oauth: OAuth, name?: LoginName): Talk[] {
  const { code, codeVerifier } = secrets;
  const app = anAppOf(name);
  return [
    {
      key: name ? `exchange_code_by_${name}` : 'exchange_code',
      responses: login.exchange,
      run: (http) => oauth.exchangeCode(http, app, { code, redirectUri, ...(oauth.pkce && { codeVerifier }) }),
    },
    {
      key: name ? `refresh_by_${name}` : 'refresh',
      responses: login.refresh,
      run: (http) => oauth.refresh(http, app, accountOf(login)),
    },
  ];
}

function accountOf({ accountId }: Login): Parameters<OAuth['refresh']>[2] {
  const { accessToken, refreshToken } = secrets;
  return { accountId, tokens: { accessToken, refreshToken, scopes: ['a'] } };
}

/** What is read when the response to a flow's commit was lost. */
function findLost({ platform, key, connector, flow }: PublishingFlow): Talk {
  let committed: Promise<Taken> | undefined;
  return {
    key: `find_${key}`,
    responses: conversationsOf(platform).notThere(key),
    async run(http) {
      committed ??= commitOf(connector, flow);
      const { before } = await committed;
      const call = aCall(http, conversationsOf(platform).login.accountId, flow.login);
      return connector.publish.findPublished(call, flow.content, before, committedAfter);
    },
  };
}
