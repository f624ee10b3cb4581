import { Business, ContentServiceService, Post, type CreatePostRequest } from '@fanfare/contracts/content';
import type { Topic } from '@fanfare/contracts/content/topics';
import { DomainError, notFound } from '@fanfare/errors';
import { startRpcServer } from '@fanfare/rpc';
import { createHealth, createLogger } from '@fanfare/runtime';
import { unusedMethods } from '@fanfare/testing';

/** A fake content service on real gRPC. It stores each created post once. */
export async function startFakeContent() {
  const businesses = new Map<string, Business>();
  const topics: Topic[] = [];
  const posts = new Map<string, CreatePostRequest>();
  /** Post → business. */
  const owners = new Map<string, string>();
  const platforms: string[] = [];
  let creates = 0;
  let failure: { error: Error; times: number } | undefined;
  const server = await startRpcServer({
    address: '127.0.0.1:0',
    definition: ContentServiceService,
    handlers: {
      ...unusedMethods(ContentServiceService),
      async getBusiness({ businessId }) {
        const business = businesses.get(businessId);
        if (!business) throw notFound('business');
        return { business };
      },
      async listTargets() {
        return { targets: platforms.map((platform, index) => ({ integrationId: `i${index}`, platform })) };
      },
      async listTopics() {
        return { topics, nextPageToken: '' };
      },
      async listCategories() {
        return { categories: [], nextPageToken: '' };
      },
      async listPosts(_request, { metadata }) {
        const own = [...posts.values()].filter(({ postId }) => owners.get(postId) === metadata.businessId);
        return { posts: own.map(({ postId, caption }) => Post.fromPartial({ id: postId, caption })), nextPageToken: '' };
      },
      async createPost(request, { metadata }) {
        creates++;
        if (failure && failure.times-- > 0) throw failure.error;
        if (!posts.has(request.postId)) posts.set(request.postId, request);
        owners.set(request.postId, metadata.businessId);
        return { post: Post.fromPartial({ id: request.postId }) };
      },
      async findShownMedia({ mediaIds }) {
        const shown = [...posts.values()].flatMap((post) => post.mediaIds);
        return { mediaIds: mediaIds.filter((id) => shown.includes(id)) };
      },
    },
    health: createHealth(),
    log: createLogger('content', 'silent'),
  });
  return {
    address: `127.0.0.1:${server.port}`,
    posts,
    topics,
    platforms,
    /** How often a post was requested to be created. */
    creates: () => creates,
    /** The next creates, this many, fail. */
    fail(error: Error = new DomainError('internal_error', 'Unavailable.'), times = 1) {
      failure = { error, times };
    },
    add(business: Partial<Business> & Pick<Business, 'id' | 'organizationId'>) {
      businesses.set(
        business.id,
        Business.fromPartial({
          ...{ name: 'Padaria Aurora', description: 'A family bakery in Lisbon. We bake bread and custard tarts.', industry: 'Bakery' },
          ...{ language: 'en', defaultCreativeFormats: ['design'], defaultAspectRatio: '1:1', includeStock: true, tone: 'friendly' },
          ...business,
        }),
      );
    },
    stop: () => server.stop(),
  };
}
