/** The protocol of resumable uploads that the library serves and the gateway relays: https://tus.io/protocols/resumable-upload */
export const TUS_VERSION = '1.0.0';
export const TUS_EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration'] as const;
/** The content type of PATCH, and of POST if it has a body. */
export const TUS_PART_TYPE = 'application/offset+octet-stream';

/** Request headers of the protocol. Without `Upload-Metadata`, which is forwarded separately: the protocol does not interpret it. */
export const TUS_REQUEST_HEADERS = ['content-type', 'tus-resumable', 'upload-length', 'upload-offset'] as const;

/** Response headers that are forwarded to the caller. */
export const TUS_RESPONSE_HEADERS = ['Upload-Offset', 'Upload-Length', 'Upload-Metadata', 'Upload-Expires'] as const;
