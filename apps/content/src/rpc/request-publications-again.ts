import { requestAgain } from '../publishing/request-again.ts';
import type { Rpc } from './rpc.ts';

export const requestPublicationsAgain: Rpc<'requestPublicationsAgain'> =
  (context) =>
  async ({ afterId }, { log, metadata: { actor } }) => {
    const { requested, nextAfterId = '' } = await requestAgain(context, afterId);
    if (requested > 0) log.warn({ actor, requested }, 'running publications are requested again');
    return { requested, nextAfterId };
  };
