import { isUuid } from '@fanfare/runtime';

/** The id by which a client knows an upload. It contains the business, so that no lookup is necessary. */
export interface UploadId {
  readonly businessId: string;
  /** The id of the media that the upload creates. */
  readonly mediaId: string;
}

export const writeUploadId = ({ businessId, mediaId }: UploadId): string => `${businessId}.${mediaId}`;

/** Undefined if the text is not such an id. */
export function readUploadId(text: string): UploadId | undefined {
  const [businessId, mediaId, ...rest] = text.toLowerCase().split('.');
  if (businessId === undefined || mediaId === undefined || rest.length > 0) return undefined;
  return isUuid(businessId) && isUuid(mediaId) ? { businessId, mediaId } : undefined;
}
