import { z } from 'zod';
import { access, clientOf, endOtherSessions as endOthers, endSession as end, listSessions as list } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { session, sessionFromStore, sessionIdOf } from './session.ts';
import { exampleSession } from './session-example.ts';

const own = { tag: 'Sign-in', access: access.usersOnly('viewer'), scope: 'caller', status: 200 } as const;

const listSessions = route({
  ...own,
  method: 'get',
  path: '/api/auth/sessions',
  operationId: 'list_sessions',
  sdkMethod: 'sessions.list',
  summary: 'List your sessions',
  description: 'The sessions in which you are signed in, newest first.',
  self: 'page',
  params: {},
  query: { limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(session, 'SessionPage'),
  examples: { response: { items: [exampleSession], next: null } },
  async handler({ db }, { caller, query }) {
    const { rows, nextPageToken } = await list(db, caller.id, { pageSize: query.limit, pageToken: query.cursor });
    return { body: { items: rows.map((each) => sessionFromStore(each, caller.sessionId)), next: nextOf(nextPageToken) } };
  },
});

const endSession = route({
  ...own,
  method: 'delete',
  path: '/api/auth/sessions/{session_id}',
  operationId: 'end_session',
  sdkMethod: 'sessions.end',
  summary: 'End a session',
  params: { session_id: z.string() },
  query: {},
  returns: deleted,
  async handler(context, exchange) {
    const { caller, params } = exchange;
    await end(context, { userId: caller.id, client: clientOf(exchange) }, params.session_id);
    return DELETED;
  },
});

const endOtherSessions = route({
  ...own,
  method: 'delete',
  path: '/api/auth/sessions',
  operationId: 'end_other_sessions',
  sdkMethod: 'sessions.endOthers',
  summary: 'End all other sessions',
  params: {},
  query: {},
  returns: deleted,
  async handler(context, exchange) {
    const { caller } = exchange;
    await endOthers(context, { userId: caller.id, client: clientOf(exchange) }, sessionIdOf(caller));
    return DELETED;
  },
});

export const sessionRoutes: readonly Route[] = [listSessions, endSession, endOtherSessions];
