import { bearer, type Conversations } from '../../../test/conversations/conversations.ts';
import { secrets } from '../../../test/secrets.ts';
import { creator, tiktokFlows } from './flows.ts';
import { reads } from './reads.ts';

const ok = { code: 'ok', message: '', log_id: '1' };

export const conversations: Conversations = {
  flows: tiktokFlows,
  reads,
  login: {
    accountId: 'open-1',
    exchange: [
      { json: { ...bearer, open_id: 'open-1', refresh_token: secrets.granted, scope: 'user.info.basic,user.info.profile,video.publish' } },
      { json: { data: { user: { open_id: 'open-1', display_name: 'Acme', username: 'acme' } }, error: ok } },
    ],
    refresh: [{ json: { ...bearer, refresh_token: secrets.granted } }],
    revoke: [{ json: {} }],
    choices: { privacy_level: [creator] },
  },
  rejection: (message) => ({ data: {}, error: { code: 'invalid_params', message, log_id: '1' } }),
  limited: () => ({ status: 429, json: { data: {}, error: { code: 'rate_limit_exceeded', message: 'Too many', log_id: '1' } } }),
  notThere: (flow) =>
    /photos/i.test(flow)
      ? [true, false].map((has_more) => ({ json: { data: { videos: [], cursor: 1_795_000_000_000, has_more }, error: ok } }))
      : [{ json: { data: { status: 'PUBLISH_COMPLETE' }, error: ok } }],
};
