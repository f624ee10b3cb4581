import { DomainError } from '@fanfare/errors';
import type { ClientSession, Collection, Filter } from 'mongodb';
import { literals } from './literals.ts';

/** A document that is edited in place. Documents stored by earlier versions may lack the optional fields, and count as revision 1. */
export interface Editable {
  _id: string;
  updated_at: Date;
  revision?: number;
  /** The latest operations that edited it. Repeating one of them changes nothing. */
  operation_ids?: string[];
  deleted?: boolean;
}

export interface Edit {
  readonly operationId: string;
  /** The revisions that the document may have; empty means any. */
  readonly expectedRevisions: readonly number[];
  readonly at: Date;
}

/** A retry follows within seconds, before there are this many other edits. */
const OPERATIONS_KEPT = 20;

/**
 * Changes fields of one document in one write that also compares the revision. Repeating the operation changes nothing.
 * @returns the current document; null if it does not exist or is deleted
 * @throws DomainError precondition_failed
 */
export async function editOnce<T extends Editable>(
  collection: Collection<T>,
  where: { _id: string; organization_id: string; business_id?: string },
  changes: Partial<Omit<T, keyof Editable>> & { deleted?: true },
  edit: Edit,
  session?: ClientSession,
): Promise<T | null> {
  const { operationId, expectedRevisions } = edit;
  const options = session ? { session } : {};
  const editable = { ...where, deleted: { $ne: true }, operation_ids: { $ne: operationId }, ...atRevision(expectedRevisions) };
  const edited = await collection.findOneAndUpdate(editable as unknown as Filter<T>, [{ $set: stages(changes, edit) }], {
    ...options,
    returnDocument: 'after',
  });
  if (edited) return edited as T;

  const current = (await collection.findOne(where as unknown as Filter<T>, options)) as T | null;
  if (current?.operation_ids?.includes(operationId)) return current;
  if (!current || current.deleted) return null;
  throw new DomainError(
    'precondition_failed',
    'The resource has changed since you read it. Read it again and retry with its current ETag.',
  );
}

/** The `$set` stage of an edit: the changes, and the fields of `Editable`. A missing revision counts as 1. */
export function stages(changes: object, { operationId, at }: Pick<Edit, 'operationId' | 'at'>): Record<string, unknown> {
  return {
    ...literals(changes),
    updated_at: at,
    revision: { $add: [{ $ifNull: ['$revision', 1] }, 1] },
    operation_ids: { $slice: [{ $concatArrays: [{ $ifNull: ['$operation_ids', []] }, { $literal: [operationId] }] }, -OPERATIONS_KEPT] },
  };
}

function atRevision(expected: readonly number[]): object {
  if (expected.length === 0) return {};
  return { revision: { $in: expected.includes(1) ? [...expected, null] : expected } };
}
