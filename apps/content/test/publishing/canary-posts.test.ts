import { connectMongo, migrate } from '@fanfare/mongo';
import { CANARY } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import { migrations } from '../../src/migrations.ts';
import type { PostDocument } from '../../src/posts/post.ts';
import { aBusiness, aScheduledPost } from '../running-content.ts';

const DAY_MS = 24 * 3_600_000;
const before = (days: number) => new Date(Date.now() - days * DAY_MS);

test("deleted posts of the canary are not kept for good, as a customer's are", async () => {
  const { mongoUrl, database } = testInfrastructure();
  const mongo = await connectMongo({ url: mongoUrl, database, service: 'test' });
  try {
    await migrate(mongo.db, migrations);
    const posts = mongo.db.collection<PostDocument>('posts');
    const aPost = (organization_id: string, days: number) => {
      return { ...aScheduledPost(aBusiness(), before(days)), organization_id, deleted_at: before(days) };
    };
    const [old, recent, ofCustomer] = [aPost(CANARY.organizationId, 36), aPost(CANARY.organizationId, 34), aPost('a-customer', 400)];
    await posts.insertMany([old, recent, ofCustomer]);
    await mongo.client.db('admin').command({ setParameter: 1, ttlMonitorSleepSecs: 1 });
    await eventually(async () => (await posts.findOne({ _id: old._id })) === null, 180_000);
    expect(await posts.countDocuments({ _id: { $in: [recent._id, ofCustomer._id] } })).toBe(2);
  } finally {
    await mongo.db.dropDatabase();
    await mongo.close();
  }
}, 200_000);
