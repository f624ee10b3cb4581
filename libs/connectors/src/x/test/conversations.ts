import { bearer, type Conversations } from '../../../test/conversations/conversations.ts';
import { secrets } from '../../../test/secrets.ts';
import { xFlows } from './flows.ts';
import { reads } from './reads.ts';

const problem = (name: string, more: object) => ({ title: name, detail: name, type: `https://api.x.com/2/problems/${name}`, ...more });

export const conversations: Conversations = {
  flows: xFlows,
  reads,
  login: {
    accountId: '100',
    exchange: [
      { json: { ...bearer, refresh_token: secrets.granted, scope: 'tweet.write' } },
      { json: { data: { id: '100', username: 'acme', name: 'Acme' } } },
    ],
    refresh: [{ json: { ...bearer, refresh_token: secrets.granted } }],
    revoke: [{ json: { revoked: true } }, { json: { revoked: true } }],
  },
  rejection: (detail) => ({ type: 'https://api.x.com/2/problems/invalid-request', title: 'Invalid Request', detail }),
  limited: () => ({
    status: 429,
    json: { title: 'Too Many Requests', type: 'about:blank', status: 429, detail: 'Too Many Requests' },
    headers: { 'x-rate-limit-reset': String(Math.floor(Date.now() / 1_000) + 600) },
  }),
  deletion: {
    publishId: '9',
    deleted: [{ json: { data: { deleted: true } } }],
    gone: [
      { status: 403, json: problem('not-authorized-for-resource', { status: 403 }) },
      { json: { errors: [problem('resource-not-found', { value: '9', resource_id: '9', parameter: 'ids' })] } },
    ],
  },
  notThere: () => [{ json: { meta: { result_count: 0, next_token: 'page-2' } } }, { json: { meta: { result_count: 0 } } }],
};
