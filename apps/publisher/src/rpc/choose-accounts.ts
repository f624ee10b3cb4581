import { chooseAccounts as choose } from '../accounts/connections/choose-accounts.ts';
import { toConnection } from '../accounts/connections/to-connection.ts';
import type { Rpc } from './rpc.ts';

export const chooseAccounts: Rpc<'chooseAccounts'> =
  (context) =>
  async (request, { metadata }) => ({ connection: await toConnection(context, await choose(context, request, metadata)) });
