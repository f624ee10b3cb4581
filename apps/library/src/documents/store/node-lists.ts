import { after, jsonBytes, pageWithin, parsePageToken, type Page } from '@fanfare/mongo';
import type { Db } from 'mongodb';
import type { Scope } from '../../scope.ts';
import type { NodeDocuments, NodeKind } from './nodes.ts';

export interface NodeList<K extends NodeKind> {
  readonly kind: K;
  readonly folderId: string | null;
  /** Path of the folder; part of every row of the response. */
  readonly path: string;
  readonly pageSize: number;
  readonly pageToken: string;
}

/** Binds a cursor to its list. */
export const bindingOf = ({ kind, folderId }: Pick<NodeList<NodeKind>, 'kind' | 'folderId'>, { businessId }: Scope) => [
  kind,
  businessId,
  folderId,
];

/** Lists the files or folders in a folder, newest first. A page ends before it exceeds 2 MiB. */
export async function listNodes<K extends NodeKind>(db: Db, scope: Scope, list: NodeList<K>): Promise<Page<NodeDocuments[K]>> {
  const { kind, folderId, pageSize, pageToken } = list;
  const binding = bindingOf(list, scope);
  const inFolder = { business_id: scope.businessId, kind, parent_id: folderId, deleted: false, organization_id: scope.organizationId };
  const find = db
    .collection('nodes')
    .find<NodeDocuments[K]>({ ...inFolder, ...after(parsePageToken(pageToken, binding)) })
    .sort({ created_at: -1, _id: -1 });
  return pageWithin(find, pageSize, binding, (node) => nodeBytes(node, list.path));
}

/** An upper bound of the bytes of a row in the response, without media. */
export function nodeBytes(node: NodeDocuments[NodeKind], path: string): number {
  return 512 + 2 * jsonBytes(node.name) + jsonBytes(path) + ('body_text' in node ? jsonBytes(node.body_text) : 0);
}
