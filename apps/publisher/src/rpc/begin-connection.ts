import { beginConnection as begin } from '../accounts/connections/begin-connection.ts';
import type { Rpc } from './rpc.ts';

export const beginConnection: Rpc<'beginConnection'> =
  (context) =>
  async (request, { metadata }) =>
    begin(context, request, metadata);
