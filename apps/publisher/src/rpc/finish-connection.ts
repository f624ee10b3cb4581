import { finishAttempt } from '../accounts/connections/finish-attempt.ts';
import { toConnection } from '../accounts/connections/to-connection.ts';
import type { Rpc } from './rpc.ts';

export const finishConnection: Rpc<'finishConnection'> =
  (context) =>
  async (request, { log }) => ({ connection: await toConnection(context, await finishAttempt(context, request, log)) });
