import { isUuid } from '@fanfare/runtime';

/** What an upload is known by to its sender. It says whose it is, so that nobody has to be asked. */
export interface UploadId {
  readonly businessId: string;
  /** Of the media to be. */
  readonly mediaId: string;
}

export const writeUploadId = ({ businessId, mediaId }: UploadId): string => `${businessId}.${mediaId}`;

/** Undefined for what we never gave out. */
export function readUploadId(text: string): UploadId | undefined {
  const [businessId, mediaId, ...rest] = text.toLowerCase().split('.');
  if (businessId === undefined || mediaId === undefined || rest.length > 0) return undefined;
  return isUuid(businessId) && isUuid(mediaId) ? { businessId, mediaId } : undefined;
}
