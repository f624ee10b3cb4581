import { PlatformFailure } from '../failure.ts';

/** Facebook's errors are those of the whole Graph API. */
export { graphRules as rules } from '../graph/error-rules.ts';

/** Whether an object does not exist under the id that we called it by (100, subcode 33). */
export function isNoSuchObject(error: unknown): boolean {
  return error instanceof PlatformFailure && error.effect === 'refused' && error.detail.code === 100 && error.detail.subcode === 33;
}
