import { putPause as put } from '../pauses/put-pause.ts';
import { toPause } from '../pauses/store/pauses.ts';
import type { Rpc } from './rpc.ts';

export const putPause: Rpc<'putPause'> =
  (context) =>
  async (request, { log }) => ({ pause: toPause(await put(context, request, log)) });
