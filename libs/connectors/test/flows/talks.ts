import type { LoginName, OAuth } from '../../src/connector.ts';
import { connectors, oauthOf } from '../../src/registry.ts';
import { loginNamesOf } from '../../src/sign-in.ts';
import { aCall, anApp, anAppOf } from '../a-content.ts';
import type { Answer } from '../scripted-platform.ts';
import { secrets } from '../secrets.ts';
import { commitOf, type Taken } from '../walk.ts';
import { everyFlow, type Name, type PublishingFlow } from './index.ts';
import { type Login, logins } from './logins.ts';
import type { Talk } from './talk.ts';

const committedAfter = new Date('2026-11-21T10:00:00Z');
const redirectUri = 'https://app.example.com/callback';

/** Everything that is said with a platform besides publishing, by platform. */
export const everyTalk: readonly { readonly platform: Name; readonly talk: Talk }[] = [
  ...Object.keys(connectors).flatMap((name) => talksOf(name as Name).map((talk) => ({ platform: name as Name, talk }))),
  ...everyFlow.map((publishing) => ({ platform: publishing.platform, talk: findLost(publishing) })),
];

function talksOf(platform: Name): Talk[] {
  const { oauth, choices = {} } = connectors[platform];
  const login = logins[platform];
  const account = accountOf(login);
  const { revoke } = oauth;
  return [
    ...signingIn(login, oauth),
    ...loginNamesOf(platform).flatMap((name) => {
      const other = login.others?.[name];
      return other ? signingIn(other, oauthOf(platform, name), name) : [];
    }),
    ...(revoke
      ? [{ key: 'revoke' as const, answers: login.revoke ?? [], run: (http) => revoke(http, anApp, account) } satisfies Talk]
      : []),
    ...Object.entries(choices).map(([option, list]): Talk => {
      const answers = login.choices?.[option] ?? [];
      return { key: `choices_${option}`, answers, run: (http) => list(aCall(http), { given: { board_id: '77' } }) };
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
      answers: login.exchange,
      run: (http) => oauth.exchangeCode(http, app, { code, redirectUri, ...(oauth.pkce && { codeVerifier }) }),
    },
    {
      key: name ? `refresh_by_${name}` : 'refresh',
      answers: login.refresh,
      run: (http) => oauth.refresh(http, app, accountOf(login)),
    },
  ];
}

function accountOf({ accountId }: Login): Parameters<OAuth['refresh']>[2] {
  const { accessToken, refreshToken } = secrets;
  return { accountId, tokens: { accessToken, refreshToken, scopes: ['a'] } };
}

/** What is read when the answer to a flow's commit was lost. */
function findLost({ platform, key, connector, flow }: PublishingFlow): Talk {
  let committed: Promise<Taken> | undefined;
  return {
    key: `find_${key}`,
    answers: notThere(platform, key),
    async run(http) {
      committed ??= commitOf(connector, flow);
      const { before } = await committed;
      const call = aCall(http, logins[platform].accountId, flow.login);
      return connector.publish.findPublished(call, flow.content, before, committedAfter);
    },
  };
}

/** Two pages of a list that have nothing on them, but of what the platform itself tells: a reel, a video, a session. */
function notThere(platform: Name, key: string): readonly Answer[] {
  const ok = { code: 'ok', message: '', log_id: '1' };
  const next = 'https://graph.facebook.com/v25.0/100/list?access_token=x&limit=1&after=page-2';
  const graphPages = [{ json: { data: [], paging: { cursors: { after: 'page-2' }, next } } }, { json: { data: [] } }];
  switch (platform) {
    case 'facebook':
      return /reel/i.test(key) ? [{ json: { status: { publishing_phase: { status: 'not_started' } } } }] : graphPages;
    case 'google_business':
      return [{ json: { nextPageToken: 'page-2' } }, { json: {} }];
    case 'instagram':
      return [{ json: { status_code: 'PUBLISHED' } }, ...graphPages];
    case 'linkedin':
      return [{ json: { elements: [{}], paging: { start: 0, count: 50, links: [] } } }, { json: { elements: [] } }];
    case 'pinterest':
      return [{ json: { items: [], bookmark: 'page-2' } }, { json: { items: [], bookmark: null } }];
    case 'tiktok':
      return /photos/i.test(key)
        ? [true, false].map((has_more) => ({ json: { data: { videos: [], cursor: 1_795_000_000_000, has_more }, error: ok } }))
        : [{ json: { data: { status: 'PUBLISH_COMPLETE' }, error: ok } }];
    case 'x':
      return [{ json: { meta: { result_count: 0, next_token: 'page-2' } } }, { json: { meta: { result_count: 0 } } }];
    case 'youtube':
      return [{ status: 308, text: '' }];
  }
}
