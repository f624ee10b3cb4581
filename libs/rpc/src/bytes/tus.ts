/** The protocol of resumable uploads that the library serves and the gateway relays: https://tus.io/protocols/resumable-upload */
export const TUS_VERSION = '1.0.0';
export const TUS_EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration'] as const;
/** What is sent with PATCH, and may be sent with POST. */
export const TUS_PART_TYPE = 'application/offset+octet-stream';

/** Of a request, what the protocol is spoken in. `Upload-Metadata` is told beside it: it means nothing to the protocol. */
export const TUS_REQUEST_HEADERS = ['content-type', 'tus-resumable', 'upload-length', 'upload-offset'] as const;

/** Of a response, what is the caller's too. */
export const TUS_RESPONSE_HEADERS = ['Upload-Offset', 'Upload-Length', 'Upload-Metadata', 'Upload-Expires'] as const;
