import { credentials, type ServiceError } from '@grpc/grpc-js';
import { AnalyticsServiceClient, GetAccountStatsRequest, type GetAccountStatsResponse } from '@fanfare/contracts/analytics';
import {
  ContentServiceClient,
  CreateBusinessRequest,
  CreatePostRequest,
  ListPostsRequest,
  type CreateBusinessResponse,
  type CreatePostResponse,
  type GetBusinessResponse,
  type GetPostResponse,
  type ListPostsResponse,
} from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import express from 'express';

// The first process of the baseline: a minimal Express server, with one gRPC call per request. Started by start-floor.ts.
const { FLOOR_DOOR_PORT, FLOOR_SERVICE_ADDRESS = '' } = process.env;
const service = new ContentServiceClient(FLOOR_SERVICE_ADDRESS, credentials.createInsecure());
const analytics = new AnalyticsServiceClient(FLOOR_SERVICE_ADDRESS, credentials.createInsecure());
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json());

app.get('/api/businesses/:business_id/posts/:post_id', async (request, response) => {
  const { post } = await called<GetPostResponse>((done) => service.getPost({ postId: request.params.post_id }, done));
  response.json(post);
});
app.get('/api/businesses/:business_id/posts', async (request, response) => {
  const list = ListPostsRequest.fromPartial({ pageSize: Number(request.query['limit']), pageToken: request.params.business_id });
  const { posts } = await called<ListPostsResponse>((done) => service.listPosts(list, done));
  response.json({ items: posts, next: null });
});
app.get('/api/businesses/:business_id/integrations/:integration_id/stats', async (request, response) => {
  const wanted = GetAccountStatsRequest.fromPartial({ integrationId: request.params.integration_id });
  const { stats } = await called<GetAccountStatsResponse>((done) => analytics.getAccountStats(wanted, done));
  response.json(stats);
});
app.get('/api/businesses/:business_id', async (request, response) => {
  const { business } = await called<GetBusinessResponse>((done) => service.getBusiness({ businessId: request.params.business_id }, done));
  response.json(business);
});
app.post('/api/businesses/:business_id/posts', async (request, response) => {
  const { caption, link, metadata, status, scheduled_publish_time: at } = request.body as Draft;
  const post = CreatePostRequest.fromPartial({
    operationId: request.params.business_id,
    postId: newId(),
    caption,
    link,
    status: `POST_STATUS_${status}`,
    ...(at !== undefined && { scheduledPublishTime: new Date(at) }),
    metadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
  });
  const created = await called<CreatePostResponse>((done) => service.createPost(post, done));
  response.status(201).json(created.post);
});
app.post('/api/businesses', async (request, response) => {
  const business = CreateBusinessRequest.fromPartial({ businessId: newId(), ...(request.body as object) });
  const created = await called<CreateBusinessResponse>((done) => service.createBusiness(business, done));
  response.status(201).json(created.business);
});
app.get('/readyz', (_request, response) => {
  service.waitForReady(Date.now() + 1_000, (error) => void response.sendStatus(error ? 503 : 200));
});
app.listen(Number(FLOOR_DOOR_PORT), '127.0.0.1');
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());

function called<T>(call: (done: (error: ServiceError | null, response: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => call((error, response) => (error ? reject(error) : resolve(response))));
}

interface Draft {
  caption: string;
  link: string;
  metadata: Record<string, string>;
  status: 'DRAFT' | 'SCHEDULED';
  scheduled_publish_time?: string;
}
