import { notFound } from '@fanfare/errors';
import { z } from 'zod';
import { access, clientOf, deleteSession, deleteSessions, listSessions as list, recordUserAudit } from '../../accounts/index.ts';
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
    if (!(await deleteSession(context.db, caller.id, params.session_id))) throw notFound('session');
    const entry = { actor: `user:${caller.id}`, action: 'session.ended', targetType: 'session', targetId: params.session_id };
    await recordUserAudit(context, caller.id, { ...entry, request: clientOf(exchange).audit });
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
    await deleteSessions(context.db, caller.id, sessionIdOf(caller));
    const entry = { actor: `user:${caller.id}`, action: 'session.others_ended', targetType: 'user', targetId: caller.id };
    await recordUserAudit(context, caller.id, { ...entry, request: clientOf(exchange).audit });
    return DELETED;
  },
});

export const sessionRoutes: readonly Route[] = [listSessions, endSession, endOtherSessions];
