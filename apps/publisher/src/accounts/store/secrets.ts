import type { Db } from 'mongodb';
import { offerOf, tokensOf, verifierOf } from '../domain/secret-names.ts';

/** One encrypted secret and where it is stored. */
export interface StoredSecret {
  readonly _id: string;
  readonly sealed: string;
  /** The context that it is encrypted for. */
  readonly context: string;
  /** The id that operators see. */
  readonly shownId: string;
}

type Row = Readonly<Record<string, string>> & { readonly _id: string };

/** Document fields that the keyring encrypts. */
interface SecretPlace {
  readonly collection: string;
  readonly field: string;
  /** Fields that the next two functions read. */
  readonly reads: readonly string[];
  context(row: Row): string;
  /** The id of a connection derives from its OAuth state, which is a secret: the id of its attempt is shown instead. */
  shownId(row: Row): string;
}

/**
 * All encrypted fields. The order matters: secrets move from integrations to revocations, and a reader that goes through them in order must not miss one.
 */
export const SECRET_PLACES: readonly SecretPlace[] = [
  { collection: 'integrations', field: 'tokens', reads: [], context: ({ _id }) => tokensOf(_id), shownId: ({ _id }) => _id },
  {
    collection: 'revocations',
    field: 'tokens',
    reads: ['integration_id'],
    context: ({ integration_id = '' }) => tokensOf(integration_id),
    shownId: ({ _id }) => _id,
  },
  { collection: 'connection_attempts', field: 'offered', reads: [], context: ({ _id }) => offerOf(_id), shownId: ({ _id }) => _id },
  {
    collection: 'connections',
    field: 'code_verifier',
    reads: ['attempt_id'],
    context: ({ _id }) => verifierOf(_id),
    shownId: ({ attempt_id = '' }) => attempt_id,
  },
];

const rowsOf = (db: Db, { collection }: SecretPlace) => db.collection<Row>(collection);
/** A disconnected account has an empty one. */
const SEALED = { $type: 'string', $gt: '' } as const;

function toSecret(place: SecretPlace, row: Row): StoredSecret {
  return { _id: row._id, sealed: row[place.field] ?? '', context: place.context(row), shownId: place.shownId(row) };
}

const projectionOf = ({ field, reads }: SecretPlace) => Object.fromEntries([field, ...reads].map((name) => [name, 1]));

/** Secrets after `afterId`, ordered by id. */
export async function listSecrets(db: Db, place: SecretPlace, afterId: string, limit: number): Promise<StoredSecret[]> {
  const rows = await rowsOf(db, place)
    .find({ _id: { $gt: afterId }, [place.field]: SEALED }, { projection: projectionOf(place) })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return rows.map((row) => toSecret(place, row));
}

/** The current secret; undefined if it no longer exists. */
export async function readSecret(db: Db, place: SecretPlace, _id: string): Promise<StoredSecret | undefined> {
  const row = await rowsOf(db, place).findOne({ _id, [place.field]: SEALED }, { projection: projectionOf(place) });
  return row ? toSecret(place, row) : undefined;
}

/** Stores the re-encrypted secret, unless it was changed meanwhile. Nothing that others see changes. @returns whether it was written */
export async function replaceSecret(db: Db, place: SecretPlace, { _id, sealed }: StoredSecret, resealed: string): Promise<boolean> {
  const result = await rowsOf(db, place).updateOne({ _id, [place.field]: sealed }, { $set: { [place.field]: resealed } });
  return result.matchedCount === 1;
}

/** The same as `keyIdOf` of the runtime. Text that is not encrypted is not shown. */
const keyIdIn = (text: string) => ({ $substrBytes: [text, 0, { $max: [{ $indexOfBytes: [text, '.'] }, 0] }] });

/** Key id → number of secrets that it encrypts, in all collections. */
export async function countSecretsByKey(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const place of SECRET_PLACES) {
    const rows = rowsOf(db, place).aggregate<{ _id: string; count: number }>([
      { $match: { [place.field]: SEALED } },
      { $group: { _id: keyIdIn(`$${place.field}`), count: { $sum: 1 } } },
    ]);
    for await (const { _id, count } of rows) counts.set(_id, (counts.get(_id) ?? 0) + count);
  }
  return counts;
}
