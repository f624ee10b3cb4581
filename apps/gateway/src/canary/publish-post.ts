import { setTimeout as pause } from 'node:timers/promises';
import { CreateBusinessRequest, CreatePostRequest, DeletePostRequest, PublishPostRequest, type Post } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import { systemCall } from '@fanfare/rpc';
import { CANARY, derivedId } from '@fanfare/runtime';
import type { Context } from '../context.ts';

/** How long one lease waits for a result. The next lease continues to wait for the same post. */
const LIMIT_MS = 30_000;
const LOOK_MS = 250;

type Services = Pick<Context, 'content' | 'publisher'>;

const call = () => ({ call: { metadata: systemCall('canary', CANARY) } });

/**
 * Publishes a post, and waits until it has a result. Every call can be repeated with the same post: a gateway that takes over continues.
 * @returns whether it was published; undefined if that is not known yet
 * @throws DomainError of a service
 */
export async function publishPost({ content, publisher }: Services, postId: string, signal: AbortSignal): Promise<boolean | undefined> {
  const id = (name: string) => derivedId(postId, name);
  const { integration } = await publisher.connectCanary({}, call());
  const business = { operationId: CANARY.businessId, businessId: CANARY.businessId, name: 'Canary' };
  await content.createBusiness(CreateBusinessRequest.fromPartial(business), call());
  const restrictPublishToIntegrationIds = integration ? [integration.id] : [];
  const created = { operationId: id('create'), postId, caption: `Canary ${postId}`, restrictPublishToIntegrationIds };
  await content.createPost(CreatePostRequest.fromPartial(created), call());
  const published = { operationId: id('publish'), publicationId: id('publication'), postId };
  await content.publishPost(PublishPostRequest.fromPartial(published), call());
  for (const end = performance.now() + LIMIT_MS; performance.now() < end;) {
    const { post } = await content.getPost({ postId }, call());
    const success = resultOf(post);
    if (success !== undefined) return success;
    await pause(LOOK_MS, undefined, { signal });
  }
  return undefined;
}

/** Deletes a post that has a result. A post that is deleted already is fine. */
export async function deletePost({ content }: Services, postId: string): Promise<void> {
  const request = DeletePostRequest.fromPartial({ operationId: derivedId(postId, 'delete'), postId });
  await content.deletePost(request, call()).catch((error: unknown) => {
    if (!(error instanceof DomainError && error.code === 'resource_not_found')) throw error;
  });
}

function resultOf(post: Post | undefined): boolean | undefined {
  const [result] = post?.publishResults ?? [];
  if (result?.status === 'PUBLISH_RESULT_STATUS_SUCCESS') return true;
  return result?.status === 'PUBLISH_RESULT_STATUS_FAILED' ? false : undefined;
}
