import { readAccount } from '../live/read-account.ts';
import type { Rpc } from './rpc.ts';

export const getAccountStats: Rpc<'getAccountStats'> = (readers) => async (request, call) => {
  const account = await readers.findAccount(request.integrationId, call);
  return readAccount(readers, account, request, call);
};
