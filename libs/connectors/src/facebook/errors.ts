import { PlatformFailure } from '../calls/failure.ts';

/** Facebook's errors are those of the whole Graph API. */
export { graphRules as rules } from '../graph/error-rules.ts';

/** Whether an object does not exist under the id that we called it by (100, subcode 33). */
export function isNoSuchObject(error: unknown): boolean {
  return error instanceof PlatformFailure && error.effect === 'rejected' && error.detail.code === 100 && error.detail.subcode === 33;
}

/** Whether Facebook rejects an image that it could not fetch from us, or not use: it does not say which (platform reference 1.4). */
export const isUnfetchedImage = ({ detail }: PlatformFailure): boolean => detail.code === 324 || detail.subcode === 2069019;

/** The same of the file of a video or reel. */
export const isUnfetchedVideo = ({ detail }: PlatformFailure): boolean =>
  detail.subcode === 1363030 || ['uploading_phase', 'upload_failed'].includes(String(detail.phase));
