import { bearer, type Conversations } from '../../../test/conversations.ts';
import { graphLimited, graphPages, graphRefusal, longLived, page } from '../../graph/test/answers.ts';
import { facebookFlows } from './flows.ts';
import { reads } from './reads.ts';

const pages = { json: { data: [page] } };

export const conversations: Conversations = {
  flows: facebookFlows,
  reads,
  login: { accountId: '100', exchange: [...longLived, pages], refresh: [{ json: bearer }, pages] },
  refusal: graphRefusal,
  limited: graphLimited,
  notThere: (flow) => (/reel/i.test(flow) ? [{ json: { status: { publishing_phase: { status: 'not_started' } } } }] : graphPages),
};
