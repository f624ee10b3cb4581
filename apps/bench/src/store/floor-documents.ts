import type { Business, Post } from '@fanfare/contracts/content';
import type { Db } from 'mongodb';

/** The message itself, so that nothing has to be mapped. */
type Stored<T> = T & { _id: string };

const posts = (db: Db) => db.collection<Stored<Post>>('posts');
const businesses = (db: Db) => db.collection<Stored<Business>>('businesses');

export async function createPostIndex(db: Db): Promise<void> {
  await posts(db).createIndex({ businessId: 1, createdAt: -1, _id: -1 });
}

export async function insertPost(db: Db, post: Post): Promise<void> {
  await posts(db).insertOne({ _id: post.id, ...post });
}

export const findPost = (db: Db, id: string): Promise<Post | null> => posts(db).findOne({ _id: id });

export const listPosts = (db: Db, businessId: string, pageSize: number): Promise<Post[]> =>
  posts(db).find({ businessId }).sort({ createdAt: -1, _id: -1 }).limit(pageSize).toArray();

export async function insertBusiness(db: Db, business: Business): Promise<void> {
  await businesses(db).insertOne({ _id: business.id, ...business });
}

export const findBusiness = (db: Db, id: string): Promise<Business | null> => businesses(db).findOne({ _id: id });
