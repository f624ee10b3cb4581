import { setClosure as set } from '../erasure/set-closure.ts';
import type { Rpc } from './rpc.ts';

export const setClosure: Rpc<'setClosure'> =
  (context) =>
  async (request, { log }) => {
    await set(context, request, log);
    return {};
  };
