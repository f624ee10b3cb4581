import { DomainError, notFound } from '@fanfare/errors';
import { editOnce, isDuplicateKey, type Edit, type Editable } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import type { Scope } from '../../scope.ts';

/** A folder or a file. A deleted one is kept for a day, without its text, for repeated operations. */
interface NodeFields extends Editable {
  organization_id: string;
  business_id: string;
  created_at: Date;
  revision: number;
  deleted: boolean;
  /** Null is the root. Paths are computed from it and never stored. */
  parent_id: string | null;
  name: string;
  /** Unique among the files and folders of a folder. */
  name_key: string;
}

export interface FolderDocument extends NodeFields {
  kind: 'folder';
}

export interface FileDocument extends NodeFields {
  kind: 'file';
  body_text: string;
  /** Size of the text in UTF-8; counts in the organization's storage. */
  size_bytes: number;
  /** Media whose URLs the text contains, whether they exist or not. */
  media_ids: string[];
}

export interface NodeDocuments {
  folder: FolderDocument;
  file: FileDocument;
}

export type NodeKind = keyof NodeDocuments;

const nodes = <K extends NodeKind>(db: Db) => db.collection<NodeDocuments[K]>('nodes');

export async function createNodeIndexes(db: Db): Promise<void> {
  await nodes(db).createIndex({ business_id: 1, kind: 1, parent_id: 1, deleted: 1, created_at: -1, _id: -1 });
  await nodes(db).createIndex({ business_id: 1, parent_id: 1, name_key: 1 }, { unique: true, partialFilterExpression: { deleted: false } });
  await nodes(db).createIndex({ updated_at: 1 }, { name: 'deleted', partialFilterExpression: { deleted: true } });
}

/** Fails with a duplicate key if the id, or the name in this folder, is in use. */
export async function insertNode(db: Db, document: FolderDocument | FileDocument, session: ClientSession): Promise<void> {
  await db.collection<FolderDocument | FileDocument>('nodes').insertOne(document, { session });
}

/** Finds a node, even if it is deleted: for repeated create operations. */
export async function findCreatedNode<K extends NodeKind>(db: Db, scope: Scope, kind: K, id: string): Promise<NodeDocuments[K] | null> {
  return one<K>(await nodes(db).findOne({ _id: id, kind, ...filterOf(scope) }));
}

/** Finds a node that this operation has already changed, even if it is deleted: a repeated operation returns it. */
export async function findEditedNode<K extends NodeKind>(
  db: Db,
  scope: Scope,
  kind: K,
  id: string,
  operationId: string,
  session: ClientSession,
): Promise<NodeDocuments[K] | null> {
  return one<K>(await nodes(db).findOne({ _id: id, kind, ...filterOf(scope), operation_ids: operationId }, { session }));
}

/** @throws DomainError resource_not_found; permission_denied for a folder of another organization */
export async function getNode<K extends NodeKind>(
  db: Db,
  scope: Scope,
  kind: K,
  id: string,
  options: { session?: ClientSession; projection?: { body_text: 0 } } = {},
): Promise<NodeDocuments[K]> {
  const node = one<K>(await nodes(db).findOne({ _id: id, kind }, options));
  if (kind === 'folder' && node && node.organization_id !== scope.organizationId) throw foreignFolder();
  if (node?.organization_id !== scope.organizationId || node.business_id !== scope.businessId || node.deleted) throw notFound(kind);
  return node;
}

export const foreignFolder = () =>
  new DomainError('permission_denied', 'This folder belongs to another organization.', { param: 'folder_id' });

/**
 * Changes fields of a node. Always one write, whatever it contains.
 * @throws DomainError resource_not_found, permission_denied, precondition_failed; invalid_value if the name is in use in the folder
 */
export async function editNode<K extends NodeKind>(
  db: Db,
  scope: Scope,
  kind: K,
  id: string,
  changes: Partial<Omit<NodeDocuments[K], keyof Editable>> & { deleted?: true },
  edit: Edit,
  session: ClientSession,
): Promise<NodeDocuments[K]> {
  try {
    const edited = await editOnce(nodes<K>(db), { _id: id, kind, ...filterOf(scope) } as never, changes, edit, session);
    return edited ?? (await getNode(db, scope, kind, id, { session }));
  } catch (error) {
    throw isDuplicateKey(error, 'name_key') ? nameInUse(error, changes.name === undefined ? 'parent_id' : 'name') : error;
  }
}

export const nameInUse = (cause: unknown, param = 'name') =>
  new DomainError('invalid_value', 'The folder already has a file or folder with this name.', { param, cause });

const filterOf = ({ organizationId, businessId }: Scope) => ({ business_id: businessId, organization_id: organizationId });

/** Safe, because the query contains the kind. */
const one = <K extends NodeKind>(found: FolderDocument | FileDocument | null) => found as NodeDocuments[K] | null;
