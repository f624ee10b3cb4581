import { DomainError, notFound } from '@fanfare/errors';
import { mediaFromProto, present } from '@fanfare/resources';
import type { Request, Response } from 'express';
import { TUS_PART_TYPE } from '@fanfare/rpc/bytes';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { readUpload } from '../../bytes/read-upload.ts';
import { streamUpload } from '../../bytes/stream-upload.ts';
import { createUpload as createResumable, digestCreation } from '../../bytes/tus/create-upload.ts';
import { relay, relayPart } from '../../bytes/tus/relay.ts';
import { checkPartType, checkVersion, isTus, readBytes, TUS_EXTENSIONS, tusHeaders } from '../../bytes/tus/tus-headers.ts';
import { readUploadId } from '../../bytes/tus/upload-id.ts';
import { businessMediaForm, mediaForm } from '../../bytes/upload-parts.ts';
import type { Context } from '../../context.ts';
import { keyConflict } from '../../http/idempotency/key-conflict.ts';
import { rawRoute, type RawExchange } from '../../http/raw-route.ts';
import type { Route } from '../../http/route.ts';
import { media as mediaResource } from './media.ts';
import { exampleMedia } from './media-example.ts';
import { tusCapabilities, tusCreation, tusPart, tusProgress, tusRequest, tusResponse, tusUpload } from './tus-headers.ts';

const ofMedia = { tag: 'Media', access: access.write, query: {}, resource: 'media' } as const;
const ofUploads = { tag: 'Media', access: access.write, query: {}, begin: speakTus } as const;
const multipart = (schema: z.ZodType) => ({ 'multipart/form-data': { schema } });
const mediaResponse = { 'application/json': { schema: mediaResource, example: exampleMedia } };
const bytes = { [TUS_PART_TYPE]: { schema: { type: 'string', format: 'binary' } } } as const;
const upload_id = z.string().meta({ description: 'The last path segment of the `Location` from the response to the creation.' });

const uploadMedia = rawRoute({
  ...ofMedia,
  method: 'post',
  path: '/api/businesses/{business_id}/media',
  scope: 'business',
  operationId: 'upload_media',
  sdkMethod: 'media.upload',
  summary: 'Upload an image, video or audio file',
  description:
    'A `multipart/form-data` form. Send `file` last; later fields are rejected. For large videos use a resumable upload: `POST /api/media/uploads`.',
  params: { business_id: z.uuid() },
  idempotent: true,
  digest: async ({ request }) => (await readUpload(request, { parts: mediaForm })).digest,
  status: 201,
  openapi: { requestBody: { required: true, content: multipart(mediaForm) }, response: mediaResponse },
  handler: (context, exchange) => receiveForm(context, exchange, mediaForm),
});

const createUpload = rawRoute({
  ...ofMedia,
  method: 'post',
  path: '/api/media/uploads',
  scope: 'business',
  operationId: 'create_upload',
  summary: 'Upload a file, or create a resumable upload',
  description: [
    'As a `multipart/form-data` form, it works like `POST /api/businesses/{business_id}/media`, with `business_id` as the first field.',
    'With the header `Tus-Resumable`, it creates a resumable upload that follows the [tus protocol](https://tus.io) 1.0.0 with the extensions creation, creation-with-upload, termination and expiration. Clients such as tus-js-client and Uppy work with it: send the credential as a header and `business_id` as metadata. The response has no body; send the bytes to `Location` with PATCH. To resume an interrupted upload within two days, get `Upload-Offset` with HEAD and continue there. `Fanfare-Media-Id` is the id of the media. The response to the last byte comes when the media is ready, or after ten seconds while it is still `processing`; a file that is not media is rejected in that response.',
    'An upload can take any time, as long as at least 16 KiB/s arrive on average in each minute.',
  ].join('\n\n'),
  params: {},
  begin: speakTus,
  idempotent: true,
  digest: async ({ request, ofBusiness }) =>
    isTus(request.headers) ? digestCreation(request.headers) : (await readUpload(request, { parts: businessMediaForm, ofBusiness })).digest,
  status: 201,
  errors: ['resource_not_found', 'precondition_failed', 'upload_conflict'],
  openapi: {
    requestHeaders: tusCreation,
    requestBody: { required: true, content: { ...multipart(businessMediaForm), ...bytes } },
    responseHeaders: tusProgress,
    response: mediaResponse,
  },
  handler: (context, exchange) =>
    isTus(exchange.request.headers)
      ? createResumable(context, exchange, { mediaId: exchange.ids.resourceId })
      : receiveForm(context, exchange, businessMediaForm),
});

const describeUploads = rawRoute({
  ...ofUploads,
  method: 'options',
  path: '/api/media/uploads',
  scope: 'none',
  operationId: 'describe_uploads',
  summary: 'Get the capabilities of resumable uploads',
  description:
    'The headers of the response name the versions and extensions of the tus protocol that this API supports. It requires no credential.',
  params: {},
  status: 204,
  openapi: { responseHeaders: tusCapabilities },
  handler: async () => ({ body: undefined, headers: { ...tusHeaders, 'Tus-Extension': TUS_EXTENSIONS } }),
});

const getUpload = rawRoute({
  ...ofUploads,
  method: 'head',
  path: '/api/media/uploads/{upload_id}',
  scope: 'business',
  operationId: 'get_upload',
  summary: 'Get the offset of a resumable upload',
  params: { upload_id },
  status: 200,
  errors: ['missing_field', 'precondition_failed'],
  openapi: { requestHeaders: tusRequest, responseHeaders: tusUpload },
  async handler(context, exchange) {
    const upload = await permittedUpload(exchange);
    return { body: undefined, headers: await relay(context, { ...upload, method: 'HEAD', headers: {} }) };
  },
});

const sendUploadPart = rawRoute({
  ...ofUploads,
  method: 'patch',
  path: '/api/media/uploads/{upload_id}',
  scope: 'business',
  operationId: 'send_upload_part',
  summary: 'Upload the next bytes of a resumable upload',
  description:
    'Bytes that arrive are kept, even if the connection breaks. If two requests send at the same offset, one continues and the other gets 409.',
  params: { upload_id },
  status: 204,
  errors: ['precondition_failed', 'upload_conflict'],
  openapi: {
    requestHeaders: tusPart,
    requestBody: { required: true, content: bytes },
    responseHeaders: tusProgress,
  },
  async handler(context, exchange) {
    const { headers } = exchange.request;
    const upload = await permittedUpload(exchange);
    checkPartType(headers);
    const offset = readBytes(headers, 'Upload-Offset');
    const relayed = { ...upload, method: 'PATCH', headers: { 'upload-offset': String(offset) } } as const;
    return { body: undefined, headers: await relayPart(context, exchange, relayed) };
  },
});

const cancelUpload = rawRoute({
  ...ofUploads,
  method: 'delete',
  path: '/api/media/uploads/{upload_id}',
  scope: 'business',
  operationId: 'cancel_upload',
  summary: 'Cancel a resumable upload',
  description: 'Discards the bytes that have arrived. A finished upload can no longer be cancelled: delete the media file instead.',
  params: { upload_id },
  status: 204,
  errors: ['missing_field', 'precondition_failed'],
  openapi: { requestHeaders: tusRequest, responseHeaders: tusResponse },
  async handler(context, exchange) {
    const upload = await permittedUpload(exchange);
    return { body: undefined, headers: await relay(context, { ...upload, method: 'DELETE', headers: {} }) };
  },
});

export const uploadRoutes: readonly Route[] = [uploadMedia, createUpload, describeUploads, getUpload, sendUploadPart, cancelUpload];

/** Every response of the tus protocol has its headers, errors too. */
function speakTus({ headers }: Request, response: Response): void {
  if (isTus(headers)) response.set(tusHeaders);
}

type Parts = Parameters<typeof streamUpload>[2]['parts'];

async function receiveForm(context: Context, exchange: RawExchange<object, object>, parts: Parts) {
  const mediaId = exchange.ids.resourceId;
  const { digest, sha256, metadata } = await streamUpload(context, exchange, { mediaId, parts, metadata: exchange.call.metadata });
  const { media: found } = await context.library.batchGetMedia({ mediaIds: [mediaId] }, { call: { metadata } });
  const media = present(found[0]);
  // The library keeps the file of an earlier attempt, which may have crashed before its digest was stored.
  if (media.sha256 !== sha256) throw keyConflict();
  const location = `/api/businesses/${media.businessId}/media/${media.id}`;
  return { body: mediaFromProto(media), location, revision: media.revision, digest };
}

/**
 * Checks that the caller may write the upload in the path.
 * @throws DomainError resource_not_found, also for uploads of other organizations
 */
async function permittedUpload({ params, request, ofBusiness }: RawExchange<{ upload_id: string }, object>) {
  checkVersion(request.headers);
  const id = readUploadId(params.upload_id);
  if (!id) throw notFound('upload');
  try {
    return { mediaId: id.mediaId, ...(await ofBusiness(id.businessId)) };
  } catch (error) {
    const isOthers = error instanceof DomainError && error.code === 'permission_denied' && error.param === 'business_id';
    throw isOthers || (error instanceof DomainError && error.code === 'resource_not_found') ? notFound('upload') : error;
  }
}
