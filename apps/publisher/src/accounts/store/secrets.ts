import type { Db } from 'mongodb';
import { offerOf, tokensOf, verifierOf } from '../domain/secret-names.ts';

/** One sealed secret, where it stands. */
export interface StoredSecret {
  readonly _id: string;
  readonly sealed: string;
  /** What the keyring sealed it for. */
  readonly context: string;
  /** By which an operator finds it. */
  readonly shownId: string;
}

type Row = Readonly<Record<string, string>> & { readonly _id: string };

/** Members of documents that the keyring seals. */
interface SecretPlace {
  readonly collection: string;
  readonly field: string;
  /** Members that the next two read. */
  readonly reads: readonly string[];
  context(row: Row): string;
  /** The id of a connection derives from the state of its flow, which is a secret: that of its attempt is shown. */
  shownId(row: Row): string;
}

/**
 * Every one there is. The order matters: what is sealed moves from integrations to revocations, and must not slip by whoever goes over them in order.
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
/** An account that was disconnected has an empty one. */
const SEALED = { $type: 'string', $gt: '' } as const;

function toSecret(place: SecretPlace, row: Row): StoredSecret {
  return { _id: row._id, sealed: row[place.field] ?? '', context: place.context(row), shownId: place.shownId(row) };
}

const projectionOf = ({ field, reads }: SecretPlace) => Object.fromEntries([field, ...reads].map((name) => [name, 1]));

/** Those behind `afterId`, in the order of their ids. */
export async function listSecrets(db: Db, place: SecretPlace, afterId: string, limit: number): Promise<StoredSecret[]> {
  const rows = await rowsOf(db, place)
    .find({ _id: { $gt: afterId }, [place.field]: SEALED }, { projection: projectionOf(place) })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return rows.map((row) => toSecret(place, row));
}

/** As it is now; undefined when it is gone. */
export async function readSecret(db: Db, place: SecretPlace, _id: string): Promise<StoredSecret | undefined> {
  const row = await rowsOf(db, place).findOne({ _id, [place.field]: SEALED }, { projection: projectionOf(place) });
  return row ? toSecret(place, row) : undefined;
}

/** Writes the same secret, sealed anew, unless somebody has written another one meanwhile. Nothing that others see changes. @returns whether it was written */
export async function replaceSecret(db: Db, place: SecretPlace, { _id, sealed }: StoredSecret, resealed: string): Promise<boolean> {
  const result = await rowsOf(db, place).updateOne({ _id, [place.field]: sealed }, { $set: { [place.field]: resealed } });
  return result.matchedCount === 1;
}

/** What `keyIdOf` of the runtime tells. Of a text that is no sealed one nothing is shown. */
const keyIdIn = (text: string) => ({ $substrBytes: [text, 0, { $max: [{ $indexOfBytes: [text, '.'] }, 0] }] });

/** Key id → how many secrets it sealed, over all places. */
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
