import { rotateSecrets as rotate } from '../accounts/tokens/rotate-secrets.ts';
import type { Rpc } from './rpc.ts';

export const rotateSecrets: Rpc<'rotateSecrets'> =
  (context) =>
  async (request, { log }) =>
    rotate(context, request, log);
