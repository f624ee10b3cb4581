import { bearer, type Conversations } from '../../../test/conversations/conversations.ts';
import { googleRejection, granted } from '../../google/test/responses.ts';
import { youtubeFlows } from './flows.ts';
import { reads } from './reads.ts';

export const conversations: Conversations = {
  flows: youtubeFlows,
  reads,
  login: {
    accountId: 'UC1',
    exchange: [
      granted('https://www.googleapis.com/auth/youtube.upload'),
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
  rejection: (message) => googleRejection(message, { errors: [{ domain: 'global', reason: 'badRequest' }] }),
  limited: () => ({
    status: 403,
    json: { error: { code: 403, message: 'Quota', errors: [{ domain: 'youtube.quota', reason: 'quotaExceeded' }] } },
  }),
  deletion: {
    publishId: 'v1',
    deleted: [{ status: 204 }],
    gone: [
      { status: 404, json: googleRejection('Not found', { code: 404, errors: [{ domain: 'youtube.video', reason: 'videoNotFound' }] }) },
    ],
  },
  notThere: () => [{ status: 308, text: '' }],
  probingSteps: ['upload_part'],
};
