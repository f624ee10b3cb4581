import { notFound } from '@fanfare/errors';
import { LRUCache } from 'lru-cache';
import type { DeletionDocument, DeletionReader } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import type { CallMetadata } from '@fanfare/rpc';

/** Which organization owns a business. */
export interface BusinessOwnerCache {
  /**
   * The organization that owns it, and its deletion if it is being deleted.
   * @throws DomainError resource_not_found
   */
  ownerOf(businessId: string, metadata: CallMetadata): Promise<Owned>;
}

interface Owned {
  readonly organizationId: string;
  readonly deletion: DeletionDocument | undefined;
}

/** A business never changes its organization, so entries need no TTL: only its erasure ends one. */
export function createBusinessOwnerCache(content: Context['content'], deletions: DeletionReader): BusinessOwnerCache {
  const owners = new LRUCache<string, string>({ max: 20_000 });
  return {
    async ownerOf(businessId, metadata) {
      const deletion = await deletions.of(businessId);
      if (deletion?.state === 'erasing' || deletion?.state === 'erased') {
        owners.delete(businessId);
        throw notFound('business');
      }
      const known = owners.get(businessId);
      if (known !== undefined) return { organizationId: known, deletion };
      const { business } = await content.getBusiness({ businessId }, { call: { metadata } });
      if (!business) throw new Error('The content service returned no business.');
      owners.set(businessId, business.organizationId);
      return { organizationId: business.organizationId, deletion };
    },
  };
}
