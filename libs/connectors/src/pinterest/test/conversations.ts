import { bearer, type Conversations } from '../../../test/conversations/conversations.ts';
import { secrets } from '../../../test/secrets.ts';
import { pinterestFlows } from './flows.ts';
import { reads } from './reads.ts';

const items = { json: { items: [{ id: '77', name: 'Recipes' }], bookmark: null } };

export const conversations: Conversations = {
  flows: pinterestFlows,
  reads,
  login: {
    accountId: '5',
    exchange: [{ json: { ...bearer, refresh_token: secrets.granted, scope: 'pins:write' } }, { json: { id: '5', username: 'acme' } }],
    refresh: [{ json: { ...bearer, refresh_token: secrets.granted } }],
    choices: { board_id: [items], board_section_id: [items] },
    chosenBefore: { board_id: '77' },
  },
  rejection: (message) => ({ code: 1, message }),
  limited: () => ({ status: 429, json: { code: 8, message: 'Too many' }, headers: { 'x-ratelimit-reset': '60' } }),
  deletion: { publishId: '9', deleted: [{ status: 204 }], gone: [{ status: 404, json: { code: 50, message: 'Pin not found.' } }] },
  notThere: () => [{ json: { items: [], bookmark: 'page-2' } }, { json: { items: [], bookmark: null } }],
  storeSteps: ['upload_video'],
};
