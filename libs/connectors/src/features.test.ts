import type { Connector } from './connector.ts';
import { anApp } from '../test/a-content.ts';
import { scopesToRequest, capabilitiesIn, joined } from './features.ts';
import { connectors, oauthOf } from './registry.ts';
import type { LoginName } from './oauth.ts';

type Name = keyof typeof connectors;

/** What people see on the platform's page. */
const requestedBy = (platform: Name, login?: LoginName, app = anApp): string[] => {
  const request = { redirectUri: 'https://app.example.com/cb', state: 's1', codeChallenge: 'ch' };
  const url = new URL(oauthOf(platform, login).authorizeUrl(app, request));
  return (url.searchParams.get('scope') ?? '')
    .split(/[ ,]/)
    .map((scope) => scope.replace('https://www.googleapis.com/auth/', ''))
    .sort();
};

// App reviews reject unused permissions, and people distrust them.
test.each<[Name, LoginName | undefined, string[]]>([
  [
    'facebook',
    undefined,
    ['business_management', 'pages_manage_engagement', 'pages_manage_posts', 'pages_read_engagement', 'pages_show_list', 'read_insights'],
  ],
  ['google_business', undefined, ['business.manage', 'openid']],
  [
    'instagram',
    'facebook',
    [
      'business_management',
      'instagram_basic',
      'instagram_content_publish',
      'instagram_manage_comments',
      'instagram_manage_insights',
      'pages_read_engagement',
      'pages_show_list',
    ],
  ],
  [
    'instagram',
    'instagram',
    [
      'instagram_business_basic',
      'instagram_business_content_publish',
      'instagram_business_manage_comments',
      'instagram_business_manage_insights',
    ],
  ],
  [
    'linkedin',
    undefined,
    [
      'openid',
      'profile',
      'r_organization_social',
      'rw_organization_admin',
      'w_member_social',
      'w_member_social_feed',
      'w_organization_social',
      'w_organization_social_feed',
    ],
  ],
  ['pinterest', undefined, ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read']],
  ['tiktok', undefined, ['user.info.basic', 'user.info.profile', 'user.info.stats', 'video.list', 'video.publish', 'video.upload']],
  ['x', undefined, ['media.write', 'offline.access', 'tweet.read', 'tweet.write', 'users.read']],
  ['youtube', undefined, ['openid', 'youtube.force-ssl', 'youtube.readonly', 'youtube.upload', 'yt-analytics.readonly']],
])('a login of %s (%s) requests exactly the scopes of its features', (platform, login, scopes) => {
  expect(requestedBy(platform, login)).toEqual(scopes);
});

test('every platform with a read side has the capability', () => {
  for (const { oauth, logins = {}, reading } of Object.values<Connector>(connectors)) {
    if (!reading) continue;
    for (const { features } of [oauth, ...Object.values(logins)])
      expect(capabilitiesIn(features)).toEqual(expect.arrayContaining(['publish', 'account_stats']));
  }
});

test('scopes that the operator configures for an app take precedence', () => {
  const features = { connect: ['a'], publish: ['a', 'b'] };
  expect(scopesToRequest(features)).toEqual(['a', 'b']);
  expect(scopesToRequest(features, { scopes: ['c'] })).toEqual(['c']);
});

test('a login for several kinds of accounts requests the scopes of all', () => {
  expect(joined({ publish: ['a'] }, { publish: ['b'], find_published: ['c'] })).toEqual({ publish: ['a', 'b'], find_published: ['c'] });
});
