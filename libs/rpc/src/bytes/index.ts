export { declaredBytesHeader, declaredBytesOf } from './declared-bytes.ts';
export { MEDIA_REQUEST_HEADERS, type MediaRequestHeaders } from './media-headers.ts';
export { problemBody, readProblem } from './problem.ts';
export { TUS_RESPONSE_HEADERS, TUS_EXTENSIONS, TUS_PART_TYPE, TUS_REQUEST_HEADERS, TUS_VERSION } from './tus.ts';
export { descriptionHeader, readDescriptionHeader, type UploadDescription } from './upload-description.ts';
