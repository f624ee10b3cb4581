import type { Business } from '@fanfare/contracts/content';
import { notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from './context.ts';

/**
 * The business of a call.
 * @throws DomainError resource_not_found
 */
export async function readBusiness({ content }: Pick<Context, 'content'>, metadata: CallMetadata): Promise<Business> {
  const { business } = await content.getBusiness({ businessId: metadata.businessId }, { call: { metadata } });
  if (!business || business.organizationId !== metadata.organizationId) throw notFound('business');
  return business;
}
