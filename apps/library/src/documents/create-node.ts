import { isDuplicateKey } from '@fanfare/mongo';
import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { nameKey, readName } from './domain/names.ts';
import type { Scope } from '../scope.ts';
import { findCreatedNode, insertNode, nameInUse, type NodeDocuments, type NodeKind } from './store/nodes.ts';

/**
 * Inserts a node. A repeated call with the same id returns the node that the first one created.
 * @param makeRoom called in the same transaction, before the node is inserted
 */
export async function createNode<K extends NodeKind>(
  { db, transact, inTurn }: Pick<Context, 'db' | 'transact' | 'inTurn'>,
  scope: Scope,
  kind: K,
  node: NodeDocuments[K],
  makeRoom: (session: ClientSession) => Promise<void>,
): Promise<NodeDocuments[K]> {
  const before = await findCreatedNode(db, scope, kind, node._id);
  if (before) return before;
  try {
    const insert = async (session: ClientSession) => {
      await makeRoom(session);
      await insertNode(db, node, session);
    };
    await inTurn(scope.organizationId, () => transact(insert));
    return node;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const first = await findCreatedNode(db, scope, kind, node._id);
    if (!first) throw nameInUse(error);
    return first;
  }
}

/**
 * The common fields of a new node.
 * @throws DomainError invalid_value, param `name`
 */
export function newNode({ organizationId, businessId }: Scope, given: { id: string; name: string; parentId: string | undefined }) {
  const name = readName(given.name);
  const at = now(organizationId);
  return {
    _id: given.id,
    organization_id: organizationId,
    business_id: businessId,
    created_at: at,
    updated_at: at,
    revision: 1,
    deleted: false,
    parent_id: given.parentId ?? null,
    name,
    name_key: nameKey(name),
  };
}
