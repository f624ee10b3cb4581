import { count, type RouteHeaders } from '../../http/openapi/headers.ts';
import { header } from '../../http/openapi/parameters.ts';

// The headers of the tus protocol, as the OpenAPI document describes them.

/** Of requests. */
export const tusRequest = {
  TusResumable: header('Tus-Resumable', 'Marks a request of the tus protocol (https://tus.io), version 1.0.0.', {
    type: 'string',
    enum: ['1.0.0'],
  }),
};

export const tusCreation = {
  ...tusRequest,
  UploadLength: header('Upload-Length', 'With tus (required): the size of the file in bytes.', { type: 'integer', minimum: 1 }),
  UploadMetadata: header(
    'Upload-Metadata',
    'With tus: `business_id` (required), `filename`, `folder_id`, `alt_text` and `description`. Each name is followed by a space and the value in Base64; separate them with commas. Other names are stored but have no effect.',
    { type: 'string', maxLength: 12_288 },
  ),
};

export const tusPart = {
  ...tusRequest,
  UploadOffset: header(
    'Upload-Offset',
    'The offset in bytes at which the part begins: `Upload-Offset` of the response to HEAD or to the previous part.',
    { type: 'integer', minimum: 0 },
  ),
};

/** Of responses. */
export const tusResponse = {
  'Tus-Resumable': { description: 'The version of the tus protocol.', schema: { type: 'string', enum: ['1.0.0'] } },
} satisfies RouteHeaders;

export const tusCapabilities = {
  ...tusResponse,
  'Tus-Version': { description: 'The supported versions of the tus protocol.', schema: { type: 'string', enum: ['1.0.0'] } },
  'Tus-Extension': { description: 'The supported extensions of the tus protocol.', schema: { type: 'string' } },
} satisfies RouteHeaders;

export const tusProgress = {
  ...tusResponse,
  'Upload-Offset': { description: 'The number of bytes that have arrived.', schema: count },
  'Upload-Expires': { description: 'When the upload expires, as an HTTP date.', schema: { type: 'string' } },
  'Fanfare-Media-Id': { description: 'The id of the media that the upload creates.', schema: { type: 'string', format: 'uuid' } },
} satisfies RouteHeaders;

export const tusUpload = {
  ...tusProgress,
  'Upload-Length': { description: 'The size of the file in bytes.', schema: count },
  'Upload-Metadata': { description: 'The metadata of the upload, as sent when it was created.', schema: { type: 'string' } },
} satisfies RouteHeaders;
