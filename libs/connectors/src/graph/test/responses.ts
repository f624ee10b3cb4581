import { bearer } from '../../../test/conversations/conversations.ts';
import { secrets } from '../../../test/secrets.ts';

/** A code becomes a long-lived token, of which Meta says what it may do. */
export const longLived = [{ json: bearer }, { json: bearer }, { json: { data: { is_valid: true, scopes: ['pages_show_list'] } } }];

export const page = { id: '100', name: 'Acme', username: 'acme', access_token: secrets.granted, tasks: ['CREATE_CONTENT'] };

const next = 'https://graph.facebook.com/v25.0/100/list?access_token=x&limit=1&after=page-2';

/** Two pages of a list that have nothing on them. */
export const graphPages = [{ json: { data: [], paging: { cursors: { after: 'page-2' }, next } } }, { json: { data: [] } }];

export const graphRejection = (message: string) => ({ error: { message, type: 'OAuthException', code: 100 } });

export const graphLimited = () => ({ status: 400, json: { error: { message: 'Too many calls', type: 'OAuthException', code: 4 } } });
