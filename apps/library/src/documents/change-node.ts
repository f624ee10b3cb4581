import type { Edit } from '@fanfare/mongo';
import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import type { Scope } from '../scope.ts';
import { findEditedNode, type NodeDocuments, type NodeKind } from './store/nodes.ts';

/** Changes a node in one transaction. A repeat of an operation gets the node as it is now, deleted or not, and changes nothing more. */
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
