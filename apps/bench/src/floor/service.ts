import { Server, ServerCredentials, status, type sendUnaryData } from '@grpc/grpc-js';
import { AnalyticsServiceService, type AnalyticsServiceServer } from '@fanfare/contracts/analytics';
import { Business, ContentServiceService, Post, type ContentServiceServer } from '@fanfare/contracts/content';
import { connectMongo } from '@fanfare/mongo';
import { createPostIndex, findBusiness, findPost, insertBusiness, insertPost, listPosts } from '../store/floor-documents.ts';
import { findStats } from '../store/floor-stats.ts';

// The second process of the baseline: a minimal gRPC server with one findOne, insertOne or find, with the driver settings of our services.
// It checks, counts and logs nothing. Started by start-floor.ts.
const { FLOOR_SERVICE_ADDRESS = '', MONGODB_URL = '', MONGODB_DATABASE = '' } = process.env;
const { db } = await connectMongo({ url: MONGODB_URL, database: MONGODB_DATABASE, service: 'floor' });
await createPostIndex(db);

const handlers = {
  getPost: ({ request }, response) => reply(response, async () => ({ post: (await findPost(db, request.postId)) ?? undefined })),
  getBusiness: ({ request }, response) =>
    reply(response, async () => ({ business: (await findBusiness(db, request.businessId)) ?? undefined })),
  // The page token carries the business, which our own services send as call metadata.
  listPosts: ({ request }, response) =>
    reply(response, async () => ({ posts: await listPosts(db, request.pageToken, request.pageSize), nextPageToken: '' })),
  createPost: ({ request }, response) =>
    reply(response, async () => {
      const now = new Date();
      const { caption, status, link, metadata, scheduledPublishTime } = request;
      const businessId = request.operationId;
      const post = Post.fromPartial({
        ...{ id: request.postId, businessId, createdAt: now, updatedAt: now, revision: 1 },
        ...{ caption, status, link, metadata, scheduledPublishTime },
      });
      await insertPost(db, post);
      return { post };
    }),
  createBusiness: ({ request }, response) =>
    reply(response, async () => {
      const now = new Date();
      const { businessId: id, name, description, industry, website, language } = request;
      const business = Business.fromPartial({ id, name, description, industry, website, language, createdAt: now, updatedAt: now });
      await insertBusiness(db, business);
      return { business };
    }),
} satisfies Partial<ContentServiceServer>;

const statistics = {
  getAccountStats: ({ request }, response) =>
    reply(response, async () => ({ stats: (await findStats(db, request.integrationId)) ?? undefined })),
} satisfies Partial<AnalyticsServiceServer>;

const server = new Server();
const { getPost, getBusiness, listPosts: list, createPost, createBusiness } = ContentServiceService;
server.addService({ getPost, getBusiness, listPosts: list, createPost, createBusiness }, handlers);
server.addService({ getAccountStats: AnalyticsServiceService.getAccountStats }, statistics);
server.bindAsync(FLOOR_SERVICE_ADDRESS, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
});
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());

function reply<T>(response: sendUnaryData<T>, work: () => Promise<T>): void {
  work().then(
    (message) => response(null, message),
    (error: unknown) => response({ code: status.INTERNAL, details: String(error) }),
  );
}
