import type { Edit } from '@fanfare/mongo';
import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import type { Scope } from '../scope.ts';
import { findEditedNode, type NodeDocuments, type NodeKind } from './store/nodes.ts';

/** Changes a node in a transaction. A repeated operation returns the current node, even if it is deleted, and changes nothing. */
export async function changeNode<K extends NodeKind>(
  { db, transact, inTurn }: Pick<Context, 'db' | 'transact' | 'inTurn'>,
  scope: Scope,
  kind: K,
  { id, operationId, expectedRevisions }: Pick<Edit, 'operationId' | 'expectedRevisions'> & { readonly id: string },
  change: (edit: Edit, session: ClientSession) => Promise<NodeDocuments[K]>,
): Promise<NodeDocuments[K]> {
  const edit = { operationId, expectedRevisions, at: now(scope.organizationId) };
  const once = async (session: ClientSession) =>
    (await findEditedNode(db, scope, kind, id, operationId, session)) ?? (await change(edit, session));
  return inTurn(scope.organizationId, () => transact(once));
}
