import type { Media } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import { z } from 'zod';
import { access } from '../access.ts';
import { parseUuid } from '../pipeline/parse-path.ts';
import { media as mediaResource, mediaFromProto } from '../resources/media.ts';
import { text } from '../resources/text.ts';
import { route } from '../route.ts';

const routeOfMedia = {
  tag: 'Media',
  access: access.write,
  method: 'post',
  query: {},
  returns: mediaResource,
  resource: 'media',
  idempotent: true,
  status: 201,
} as const;

/** The library gives a URL 25 s, and then stores what came. */
const IMPORT_TIMEOUT_MS = 40_000;

export const importMedia = route({
  ...routeOfMedia,
  path: '/api/media/from-url',
  scope: 'business',
  operationId: 'import_media',
  summary: 'Fetch an image or a video from a URL',
  description: 'The URL must be public and must answer within 25 s with at most 50 MB.',
  params: {},
  body: z
    .strictObject({
      business_id: text(100).meta({ format: 'uuid', description: 'The business that the media will belong to.' }),
      url: text(8192).meta({ format: 'uri' }),
    })
    .meta({ id: 'ImportMedia' }),
  errors: ['resource_not_found'],
  async handler(context, { body, call, ids }) {
    parseUuid('business_id', body.business_id);
    // A URL of our own names the media that we serve there already; it is not fetched.
    const { mediaByUrl } = await context.library.resolveMediaUrls({ urls: [body.url] }, { call });
    const known = mediaByUrl[body.url];
    if (known) return created(known);
    const { operationId, resourceId: mediaId } = ids;
    const request = { operationId, mediaId, url: body.url, param: 'url', mayContinue: false, altText: '' };
    const { media } = await context.library.importMedia(request, { call, timeoutMs: IMPORT_TIMEOUT_MS });
    return created(media);
  },
});

function created(media: Media | undefined) {
  if (!media) throw new DomainError('internal_error', 'The library answered without the media.');
  return { body: mediaFromProto(media), location: `/api/businesses/${media.businessId}/media/${media.id}` };
}
