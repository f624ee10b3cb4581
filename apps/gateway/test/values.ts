// What the fake services return.
import { Business, type Post } from '@fanfare/contracts/content';
import type { Media } from '@fanfare/contracts/library';

export const AT = new Date('2026-08-06T09:30:00.000Z');
export const BYTES = 'the bytes of an image';
export const inADay = () => new Date(Date.now() + 24 * 60 * 60_000);

export function aBusiness(more: Partial<Business>): Business {
  return Business.fromPartial({ createdAt: AT, updatedAt: AT, revision: 1, name: 'Bakery', language: 'en', timezone: 'UTC', ...more });
}

/** What every resource of a business has. */
const ofBusiness = { id: '', businessId: '', createdAt: AT, updatedAt: AT, revision: 1 };

export function aPost(more: Partial<Post>): Post {
  return {
    ...ofBusiness,
    caption: '',
    status: 'POST_STATUS_NEW',
    media: [],
    restrictPublishTo: [],
    restrictPublishToIntegrationIds: [],
    scheduledPublishTime: undefined,
    publishedAt: undefined,
    metadata: [],
    platformOverrides: [],
    atRisk: [],
    mediaRevision: 0,
    publishResults: [],
    publishStatus: 'PUBLISH_STATUS_UNSPECIFIED',
    misfirePolicy: 'MISFIRE_POLICY_UNSPECIFIED',
    strategy: 'PUBLISH_STRATEGY_INDEPENDENT',
    lastFailure: undefined,
    queue: undefined,
    ...more,
  };
}

export function aMedia(more: Partial<Media>): Media {
  return {
    ...ofBusiness,
    status: 'MEDIA_STATUS_READY',
    type: 'MEDIA_TYPE_IMAGE',
    mimeType: 'image/png',
    sizeBytes: BYTES.length,
    width: 2,
    height: 3,
    sha256: '',
    url: 'http://127.0.0.1/media/known/s',
    source: 'upload',
    originalUrl: '',
    fileName: '',
    altText: '',
    description: '',
    transcript: '',
    thumbnailUrl: '',
    coverUrl: '',
    placeholder: '',
    facts: undefined,
    ...more,
  };
}
