import type { ClientSession, Db, Filter, OptionalUnlessRequiredId } from 'mongodb';

/** News of something that posts show, which they are still to hear: they may be too many for the transaction that takes an event in. */
export interface News {
  /** The id of what they are about. */
  _id: string;
  business_id: string;
  organization_id: string;
  /** Of what they are about. */
  revision: number;
  /** When posts are told. */
  due_at: Date;
  /** Posts up to this id have been told. */
  told_to?: string;
  /** Posts have been told once, and are told once more. */
  is_told?: true;
}

/** What was read before the news, and committed after posts were told, is told now. Longer than a request takes. */
const AGAIN_AFTER_MS = 60_000;

/** News in one collection. */
export function newsRows<Row extends News>(collection: string) {
  const rows = (db: Db) => db.collection<Row>(collection);
  const of = ({ _id, revision }: Row) => ({ _id, revision }) as Filter<Row>;
  return {
    async createIndexes(db: Db): Promise<void> {
      await rows(db).createIndex({ due_at: 1 });
    },

    /** Newer news take the place of older ones; older ones change nothing. */
    async put(db: Db, news: Omit<Row, 'due_at' | 'told_to' | 'is_told'>, session: ClientSession): Promise<void> {
      const { _id, revision } = news as unknown as News;
      const id = { _id } as Filter<Row>;
      const known = await rows(db).findOne(id, { session, projection: { revision: 1 } });
      if (known && known['revision'] >= revision) return;
      await rows(db).replaceOne(id, { ...news, due_at: new Date(0) } as unknown as OptionalUnlessRequiredId<Row>, {
        upsert: true,
        session,
      });
    },

    async findDue(db: Db): Promise<Row | null> {
      return (await rows(db).findOne({ $expr: { $lte: ['$due_at', '$$NOW'] } } as unknown as Filter<Row>, {
        sort: { due_at: 1 },
      })) as Row | null;
    },

    /** Posts up to this one have heard these news; other news come first now. */
    async noteProgress(db: Db, news: Row, postId: string): Promise<void> {
      await rows(db).updateOne(of(news), [{ $set: { told_to: postId, due_at: '$$NOW' } }]);
    },

    /** All posts have heard these news, unless newer ones came meanwhile. */
    async complete(db: Db, news: Row): Promise<void> {
      if (news.is_told) await rows(db).deleteOne(of(news));
      else await rows(db).updateOne(of(news), [{ $set: { is_told: true, told_to: '', due_at: { $add: ['$$NOW', AGAIN_AFTER_MS] } } }]);
    },
  };
}
