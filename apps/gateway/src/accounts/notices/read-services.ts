import type { Business, Post } from '@fanfare/contracts/content';
import type { Integration } from '@fanfare/contracts/publisher';
import { DomainError } from '@fanfare/errors';
import { systemCall } from '@fanfare/rpc';
import type { Context } from '../../context.ts';
import type { NoticeDocument } from '../store/notices.ts';

/** The current data of what a notice is about, from the services; undefined if it does not exist, or belongs to another organization. Each is read once. */
export interface ServiceReader {
  business(notice: NoticeDocument): Promise<Business | undefined>;
  post(notice: NoticeDocument): Promise<Post | undefined>;
  account(notice: NoticeDocument, id: string): Promise<Integration | undefined>;
}

/** @throws (each of its methods) DomainError if a service is unavailable */
export function readServices({ content, publisher }: Pick<Context, 'content' | 'publisher'>): ServiceReader {
  const responses = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, services: () => Promise<T>): Promise<T | undefined> => {
    const response = responses.get(key) ?? services().catch(undefinedIfMissing);
    responses.set(key, response);
    return response as Promise<T | undefined>;
  };
  return {
    business: (notice) =>
      once(`business:${notice.business_id}`, async () => {
        const { business } = await content.getBusiness({ businessId: notice.business_id }, asGateway(notice));
        return business?.organizationId === notice.organization_id ? business : undefined;
      }),
    post: (notice) =>
      once(`post:${notice.subject_id}`, async () => (await content.getPost({ postId: notice.subject_id }, asGateway(notice))).post),
    account: (notice, id) =>
      once(`account:${id}`, async () => (await publisher.getIntegration({ integrationId: id }, asGateway(notice))).integration),
  };
}

const asGateway = ({ organization_id: organizationId, business_id: businessId }: NoticeDocument) => ({
  call: { metadata: systemCall('gateway', { organizationId, businessId }) },
});

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof DomainError && (error.code === 'resource_not_found' || error.code === 'permission_denied')) return undefined;
  throw error;
}
