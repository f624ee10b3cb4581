import { resealSecrets } from '../endpoints/reseal-secrets.ts';
import type { Rpc } from './rpc.ts';

export const rotateSecrets: Rpc<'rotateSecrets'> =
  (context) =>
  async (request, { log }) =>
    resealSecrets(context, request, log);
