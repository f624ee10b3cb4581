import { bearer, type Conversations } from '../../../test/conversations/conversations.ts';
import { graphLimited, graphPages, graphRejection, longLived, page } from '../../graph/test/responses.ts';
import { facebookFlows } from './flows.ts';
import { reads } from './reads.ts';

const pages = { json: { data: [page] } };

const noSuchObject = {
  status: 400,
  json: { error: { message: 'Object does not exist', type: 'GraphMethodException', code: 100, error_subcode: 33 } },
};

export const conversations: Conversations = {
  flows: facebookFlows,
  reads,
  login: { accountId: '100', exchange: [...longLived, pages], refresh: [{ json: bearer }, pages], revoke: [{ json: { success: true } }] },
  rejection: graphRejection,
  limited: graphLimited,
  deletion: {
    publishId: '100_9',
    deleted: [{ json: { success: true } }],
    gone: [noSuchObject, noSuchObject],
  },
  notThere: (flow) => (/reel/i.test(flow) ? [{ json: { status: { publishing_phase: { status: 'not_started' } } } }] : graphPages),
};
