import { expediteDeletion as expedite } from '../deletions/deletion-request.ts';
import { required } from '../operator-requests/required.ts';
import { toDeletion } from '../store/deletions.ts';
import type { Rpc } from './rpc.ts';

export const expediteDeletion: Rpc<'expediteDeletion'> =
  (context) =>
  async ({ id, reason }, { metadata }) => ({
    deletion: toDeletion(await expedite(context, id, { actor: metadata.actor, reason: required('reason', reason) })),
  });
