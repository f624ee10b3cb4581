import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/**
 * Whether the business that a call is about exists and is the caller's. Services trust what passes here.
 * @throws DomainError resource_not_found, permission_denied
 */
export async function checkBusiness({ content }: Pick<Context, 'content'>, metadata: CallMetadata): Promise<void> {
  const { business } = await content.getBusiness({ businessId: metadata.businessId }, { call: { metadata } });
  if (business?.organizationId !== metadata.organizationId) {
    throw new DomainError('permission_denied', 'This business belongs to another organization.', { param: 'business_id' });
  }
}
