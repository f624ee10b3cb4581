import { connectMongo, type Mongo } from '@fanfare/mongo';
import { testInfrastructure } from '@fanfare/testing';
import { findDuePosts, posts } from '../../src/posts/store/posts.ts';
import { findRound } from '../../src/publishing/find-round.ts';
import { aBusiness, aScheduledPost } from '../running-content.ts';

let mongo: Mongo;
beforeAll(async () => {
  const { mongoUrl, database } = testInfrastructure();
  mongo = await connectMongo({ url: mongoUrl, database, service: 'test' });
});
afterAll(async () => {
  await mongo.db.dropDatabase();
  await mongo.close();
});

test('due posts are claimed by turns, one of each organization, of each the longest due first', async () => {
  const [many, two, one] = [aBusiness(), aBusiness(), aBusiness()];
  const due = (call: typeof many, count: number, secondsAgo: number) =>
    Array.from({ length: count }, (_, index) => aScheduledPost(call, new Date(Date.now() - secondsAgo * 1_000 + index)));
  const [flood, pair, single] = [due(many, 6, 300), due(two, 2, 200), due(one, 1, 100)];
  await posts(mongo.db).insertMany([...single, ...pair, ...flood]);
  const turns = [flood[0], pair[0], single[0], flood[1], pair[1], ...flood.slice(2)];
  expect(
    (await findRound(({ organizations, ids }, limit) => findDuePosts(mongo.db, { organizations, posts: ids }, limit), [])).map(
      ({ _id }) => _id,
    ),
  ).toEqual(turns.map((post) => post?._id));
});
