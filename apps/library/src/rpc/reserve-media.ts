import { reserveMedia as reserve } from '../editing/reserve-media.ts';
import type { Rpc } from './rpc.ts';

export const reserveMedia: Rpc<'reserveMedia'> = (context) => async (request, call) => {
  await reserve(context, request, call.metadata);
  return {};
};
