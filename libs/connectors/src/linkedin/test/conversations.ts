import { bearer, type Conversations } from '../../../test/conversations/conversations.ts';
import { linkedinFlows } from './flows.ts';
import { reads } from './reads.ts';

export const conversations: Conversations = {
  flows: linkedinFlows,
  reads,
  login: {
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
  rejection: (message) => ({ status: 400, code: 'ILLEGAL_ARGUMENT', message }),
  limited: () => ({ status: 429, json: { status: 429, code: 'TOO_MANY_REQUESTS', message: 'Throttled: DAY limit reached' } }),
  deletion: {
    publishId: 'urn:li:share:9',
    deleted: [{ status: 204 }],
    gone: [{ status: 404, json: { status: 404, code: 'RESOURCE_NOT_FOUND', message: 'Could not find entity' } }],
  },
  notThere: () => [{ json: { elements: [{}], paging: { start: 0, count: 50, links: [] } } }, { json: { elements: [] } }],
  storeSteps: ['upload_image', 'upload_part'],
};
