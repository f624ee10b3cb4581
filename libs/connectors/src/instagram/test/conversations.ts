import { bearer, type Conversations } from '../../../test/conversations/conversations.ts';
import { secrets } from '../../../test/secrets.ts';
import { graphLimited, graphPages, graphRejection, longLived, page } from '../../graph/test/responses.ts';
import { instagramFlows } from './flows.ts';
import { reads } from './reads.ts';

const pages = { json: { data: [page] } };
const ofPage = { json: { instagram_business_account: { id: '100' } } };

export const conversations: Conversations = {
  flows: instagramFlows,
  reads,
  login: {
    accountId: '100',
    exchange: [...longLived, pages, ofPage, { json: { username: 'acme' } }],
    refresh: [{ json: bearer }, pages, ofPage],
    revoke: [{ json: { success: true } }],
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
  rejection: graphRejection,
  limited: graphLimited,
  notThere: () => [{ json: { status_code: 'PUBLISHED' } }, ...graphPages],
};
