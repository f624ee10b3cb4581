import type { Media } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import { mediaFromProto, present } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { altText } from '../../bytes/upload-parts.ts';
import { parseUuid } from '../../http/request/parse-path.ts';
import { route, type Route } from '../../http/route.ts';
import { text } from '../../text/text.ts';
import { readFolderId } from '../folders/folder-id.ts';
import { media as mediaResource } from './media.ts';
import { exampleImport, exampleMedia, exampleProcessingMedia } from './media-example.ts';

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

/** The library waits up to 25 s for a URL and then stores the file. */
const IMPORT_TIMEOUT_MS = 40_000;

const importMedia = route({
  ...routeOfMedia,
  path: '/api/media/from-url',
  scope: 'business',
  operationId: 'import_media',
  sdkMethod: 'media.import',
  summary: 'Import an image, video or audio file from a URL',
  description: [
    'The URL must be public: http or https, without user or password, on port 80, 443, 8080 or 8443. If the file arrives within 25 s and has at most 50 MB, the response is 201 with the media file.',
    'A larger or slower file is imported in the background, and the response is 202: poll it at `Location` until its `status` is `ready` or `failed`; `error` explains a failure. If the connection breaks, the import resumes where it stopped, if the server supports `Range` and sends an `ETag` or `Last-Modified`.',
    'The URL of a media file that this API serves is not downloaded: you get that media file, or a copy for this business. If the business already has it, it stays unchanged, and a different `alt_text` or `folder_id` is rejected.',
  ].join('\n\n'),
  params: {},
  body: z
    .strictObject({
      business_id: text(100).meta({ format: 'uuid', description: 'The business that will own the media file.' }),
      url: text(8192).meta({ format: 'uri' }),
      alt_text: altText().optional(),
      folder_id: text(100).nullish().meta({ description: 'The folder for the media file; the root if missing or null.' }),
    })
    .meta({ id: 'ImportMedia' }),
  orAccepted: true,
  errors: ['resource_not_found'],
  examples: { body: exampleImport, response: exampleMedia, accepted: exampleProcessingMedia },
  async handler(context, { body, call, ids }) {
    parseUuid('business_id', body.business_id);
    const folderId = readFolderId(body.folder_id) || undefined;
    // A URL that this API serves refers to an existing media file and is not fetched.
    const { mediaByUrl } = await context.library.resolveMediaUrls({ urls: [body.url] }, { call });
    const known = new Map(Object.entries(mediaByUrl)).get(body.url);
    if (known) {
      if (body.alt_text !== undefined && body.alt_text !== known.altText) throw staysAsItIs('alt_text');
      if (folderId !== undefined && folderId !== known.folderId) throw staysAsItIs('folder_id');
      return imported(known);
    }
    const { operationId, resourceId: mediaId } = ids;
    const request = { operationId, mediaId, url: body.url, param: 'url', mayContinue: true, altText: body.alt_text ?? '', folderId };
    const { media } = await context.library.importMedia(request, { call, timeoutMs: IMPORT_TIMEOUT_MS });
    return imported(present(media));
  },
});

export const importRoutes: readonly Route[] = [importMedia];

function staysAsItIs(param: string): DomainError {
  const detail = `This business already has the media file with this URL. Leave out ${param} and update the media file instead.`;
  return new DomainError('invalid_request', detail, { param });
}

function imported(media: Media) {
  const shown = mediaFromProto(media);
  return { body: shown, location: `/api/businesses/${media.businessId}/media/${media.id}`, isAccepted: shown.status !== 'ready' };
}
