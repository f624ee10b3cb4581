import { bearer, type Conversations } from '../../../test/conversations/conversations.ts';
import { googleRejection, granted } from '../../google/test/responses.ts';
import { googleBusinessFlows } from './flows.ts';
import { reads } from './reads.ts';

export const conversations: Conversations = {
  flows: googleBusinessFlows,
  reads,
  login: {
    accountId: 'accounts/1/locations/2',
    exchange: [
      granted('https://www.googleapis.com/auth/business.manage'),
      { json: { accounts: [{ name: 'accounts/1' }] } },
      { json: { locations: [{ name: 'locations/2', title: 'Acme', metadata: { canOperateLocalPost: true } }] } },
    ],
    refresh: [{ json: bearer }],
    revoke: [{ json: {} }],
  },
  rejection: googleRejection,
  limited: () => ({ status: 429, json: { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded' } } }),
  deletion: {
    publishId: 'accounts/1/locations/2/localPosts/9',
    deleted: [{ json: {} }],
    gone: [{ status: 404, json: googleRejection('Requested entity was not found.', { code: 404, status: 'NOT_FOUND' }) }],
  },
  notThere: () => [{ json: { nextPageToken: 'page-2' } }, { json: {} }],
};
