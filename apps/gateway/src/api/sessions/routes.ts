import { notFound } from '@fanfare/errors';
import { z } from 'zod';
import {
  access,
  type Caller,
  clientOf,
  deleteSession,
  deleteSessions,
  listSessions as list,
  recordUserAudit,
} from '../../accounts/index.ts';
import { route } from '../../http/route.ts';
import { DELETED, deleted } from '../shared/deleted.ts';
import { outcome, said } from '../shared/outcome.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../shared/page.ts';
import { exampleSession } from '../shared/people-example.ts';
import { session, sessionFromStore } from './session.ts';

const own = { tag: 'Sign-in', access: access.usersOnly('viewer'), scope: 'caller', status: 200 } as const;

export const signOut = route({
  ...own,
  method: 'post',
  path: '/api/auth/sign-out',
  operationId: 'sign_out',
  summary: 'Sign out',
  description: 'Ends the session of this request: its refresh token at once, its access tokens everywhere within 5 seconds.',
  params: {},
  query: {},
  body: z.strictObject({}).meta({ id: 'SignOut' }),
  returns: outcome('SignOutOutcome', 'signed_out'),
  examples: { body: {} },
  async handler(context, exchange) {
    const { caller } = exchange;
    const id = sessionIdOf(caller);
    await deleteSession(context.db, caller.id, id);
    const entry = { actor: `user:${caller.id}`, action: 'session.signed_out', targetType: 'session', targetId: id };
    await recordUserAudit(context, caller.id, { ...entry, request: clientOf(exchange).audit });
    return said('signed_out');
  },
});

export const listSessions = route({
  ...own,
  method: 'get',
  path: '/api/auth/sessions',
  operationId: 'list_sessions',
  summary: 'List your sessions',
  description: 'Where you are signed in, newest first.',
  self: 'page',
  params: {},
  query: { limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(session, 'SessionPage'),
  examples: { answer: { items: [exampleSession], next: null } },
  async handler({ db }, { caller, query }) {
    const { rows, nextPageToken } = await list(db, caller.id, { pageSize: query.limit, pageToken: query.cursor });
    return { body: { items: rows.map((each) => sessionFromStore(each, caller.sessionId)), next: nextOf(nextPageToken) } };
  },
});

export const endSession = route({
  ...own,
  method: 'delete',
  path: '/api/auth/sessions/{session_id}',
  operationId: 'end_session',
  summary: 'End one of your sessions',
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

export const endOtherSessions = route({
  ...own,
  method: 'delete',
  path: '/api/auth/sessions',
  operationId: 'end_other_sessions',
  summary: 'End all your other sessions',
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

/** Of a caller who is let in only with an access token. */
export function sessionIdOf({ sessionId }: Caller): string {
  if (sessionId === undefined) throw new Error('A signed-in user has no session.');
  return sessionId;
}
