import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.ts';
import type { CallMetadata } from '@fanfare/rpc';

/** Which organization owns a business. */
export interface BusinessOwnerCache {
  /**
   * The organization that owns it.
   * @throws DomainError resource_not_found
   */
  ownerOf(businessId: string, metadata: CallMetadata): Promise<string>;
}

/** A business never changes its organization and is never deleted, so entries need no TTL. */
export function createBusinessOwnerCache(content: Context['content']): BusinessOwnerCache {
  const owners = new LRUCache<string, string>({ max: 20_000 });
  return {
    async ownerOf(businessId, metadata) {
      const known = owners.get(businessId);
      if (known !== undefined) return known;
      const { business } = await content.getBusiness({ businessId }, { call: { metadata } });
      if (!business) throw new Error('The content service returned no business.');
      owners.set(businessId, business.organizationId);
      return business.organizationId;
    },
  };
}
