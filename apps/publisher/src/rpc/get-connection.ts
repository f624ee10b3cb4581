import { notFound } from '@fanfare/errors';
import { toConnection } from '../accounts/connections/to-connection.ts';
import { findConnectionAttempt } from '../accounts/store/connection-attempts.ts';
import type { Rpc } from './rpc.ts';

export const getConnection: Rpc<'getConnection'> =
  (context) =>
  async ({ connectionId }, { metadata }) => {
    const attempt = await findConnectionAttempt(context.db, connectionId, metadata);
    if (!attempt) throw notFound('connection');
    return { connection: await toConnection(context, attempt) };
  };
