import type { LoginName } from '../../src/connector.ts';
import type { Answer } from '../scripted-platform.ts';
import { secrets } from '../secrets.ts';
import type { Name } from './index.ts';
import { creator } from './tiktok.ts';

export interface Login {
  readonly accountId: string;
  readonly exchange: readonly Answer[];
  readonly refresh: readonly Answer[];
  readonly revoke?: readonly Answer[];
  readonly choices?: Readonly<Record<string, readonly Answer[]>>;
  /** The same, of the platform's other ways to sign in. */
  readonly others?: Readonly<Partial<Record<LoginName, Login>>>;
}

const bearer = { access_token: secrets.granted, token_type: 'bearer', expires_in: 5_000 };
const page = { id: '100', name: 'Acme', username: 'acme', access_token: secrets.granted, tasks: ['CREATE_CONTENT'] };
const longLived = [{ json: bearer }, { json: bearer }, { json: { data: { is_valid: true, scopes: ['pages_show_list'] } } }];
const pages = { json: { data: [page] } };
const google = (scope: string) => ({ json: { ...bearer, refresh_token: secrets.granted, scope } });
const ok = { code: 'ok', message: '', log_id: '1' };
const items = { json: { items: [{ id: '77', name: 'Recipes' }], bookmark: null } };

/** What the platforms answer when people sign in and we stay signed in. */
export const logins: { readonly [Platform in Name]: Login } = {
  facebook: { accountId: '100', exchange: [...longLived, pages], refresh: [{ json: bearer }, pages] },
  google_business: {
    accountId: 'accounts/1/locations/2',
    exchange: [
      google('https://www.googleapis.com/auth/business.manage'),
      { json: { accounts: [{ name: 'accounts/1' }] } },
      { json: { locations: [{ name: 'locations/2', title: 'Acme', metadata: { canOperateLocalPost: true } }] } },
    ],
    refresh: [{ json: bearer }],
  },
  instagram: {
    accountId: '100',
    exchange: [...longLived, pages, { json: { instagram_business_account: { id: '100' } } }, { json: { username: 'acme' } }],
    refresh: [{ json: bearer }, pages, { json: { instagram_business_account: { id: '100' } } }],
    others: {
      instagram: {
        accountId: '100',
        exchange: [
          { json: { data: [{ access_token: secrets.granted, user_id: '100', permissions: 'instagram_business_basic' }] } },
          { json: bearer },
          { json: { id: '26100', user_id: '100', username: 'acme' } },
        ],
        refresh: [{ json: bearer }],
      },
    },
  },
  linkedin: {
    accountId: 'urn:li:organization:55',
    exchange: [
      { json: { ...bearer, scope: 'openid,profile,w_member_social,rw_organization_admin,w_organization_social' } },
      { json: { sub: 'abc', name: 'Ada' } },
      { json: { elements: [{ role: 'ADMINISTRATOR', state: 'APPROVED', organization: 'urn:li:organization:55' }] } },
      { json: { id: 55, localizedName: 'Acme', vanityName: 'acme' } },
    ],
    refresh: [{ json: bearer }],
    revoke: [{ status: 200 }],
  },
  pinterest: {
    accountId: '5',
    exchange: [{ json: { ...bearer, refresh_token: secrets.granted, scope: 'pins:write' } }, { json: { id: '5', username: 'acme' } }],
    refresh: [{ json: { ...bearer, refresh_token: secrets.granted } }],
    choices: { board_id: [items], board_section_id: [items] },
  },
  tiktok: {
    accountId: 'open-1',
    exchange: [
      { json: { ...bearer, open_id: 'open-1', refresh_token: secrets.granted, scope: 'user.info.basic,user.info.profile,video.publish' } },
      { json: { data: { user: { open_id: 'open-1', display_name: 'Acme', username: 'acme' } }, error: ok } },
    ],
    refresh: [{ json: { ...bearer, refresh_token: secrets.granted } }],
    revoke: [{ json: {} }],
    choices: { privacy_level: [creator] },
  },
  x: {
    accountId: '100',
    exchange: [
      { json: { ...bearer, refresh_token: secrets.granted, scope: 'tweet.write' } },
      { json: { data: { id: '100', username: 'acme', name: 'Acme' } } },
    ],
    refresh: [{ json: { ...bearer, refresh_token: secrets.granted } }],
    revoke: [{ json: { revoked: true } }, { json: { revoked: true } }],
  },
  youtube: {
    accountId: 'UC1',
    exchange: [
      google('https://www.googleapis.com/auth/youtube.upload'),
      { json: { items: [{ id: 'UC1', snippet: { title: 'Acme', customUrl: '@acme' } }] } },
    ],
    refresh: [{ json: bearer }],
    revoke: [{ json: {} }],
    choices: {
      category_id: [
        { json: { items: [{ id: 'UC1', snippet: { title: 'Acme', country: 'DE' } }] } },
        { json: { items: [{ id: '22', snippet: { title: 'People & Blogs', assignable: true } }] } },
      ],
    },
  },
};
