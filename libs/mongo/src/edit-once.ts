import { DomainError } from '@fanfare/errors';
import type { ClientSession, Collection, Filter } from 'mongodb';

/** A document that is edited in place. Those that an earlier version stored lack what is optional, and count as revision 1. */
export interface Editable {
  _id: string;
  updated_at: Date;
  revision?: number;
  /** The latest operations that edited it: a repeat of one of them changes nothing more. */
  operation_ids?: string[];
  deleted?: boolean;
}

export interface Edit {
  readonly operationId: string;
  /** Revisions that the document may have; none means any. */
  readonly expectedRevisions: readonly number[];
  readonly at: Date;
}

/** Repeats come within seconds, or within a request that is resumed: not after as many edits of others. */
const OPERATIONS_KEPT = 20;

/**
 * Changes fields of one document in one write, which also compares its revision. A repeat of the operation finds it done.
 * @returns the document as it is now; null when there is none, or it is deleted
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
  const free = { ...where, deleted: { $ne: true }, operation_ids: { $ne: operationId }, ...atRevision(expectedRevisions) };
  const edited = await collection.findOneAndUpdate(free as unknown as Filter<T>, [{ $set: stages(changes, edit) }], {
    ...options,
    returnDocument: 'after',
  });
  if (edited) return edited as T;

  const there = (await collection.findOne(where as unknown as Filter<T>, options)) as T | null;
  if (there?.operation_ids?.includes(operationId)) return there;
  if (!there || there.deleted) return null;
  throw new DomainError('precondition_failed', 'It has changed since you read it. Read it again and retry.');
}

/** The part of an edit that belongs to every edit, as stages of an aggregation: a missing revision counts as 1. */
export function stages(changes: object, { operationId, at }: Pick<Edit, 'operationId' | 'at'>): Record<string, unknown> {
  // Literal, because a text may begin with a dollar sign.
  const literal = Object.entries(changes).map(([field, value]) => [field, { $literal: value as unknown }] as const);
  return {
    ...Object.fromEntries(literal),
    updated_at: at,
    revision: { $add: [{ $ifNull: ['$revision', 1] }, 1] },
    operation_ids: { $slice: [{ $concatArrays: [{ $ifNull: ['$operation_ids', []] }, { $literal: [operationId] }] }, -OPERATIONS_KEPT] },
  };
}

function atRevision(expected: readonly number[]): object {
  if (expected.length === 0) return {};
  return { revision: { $in: expected.includes(1) ? [...expected, null] : expected } };
}
