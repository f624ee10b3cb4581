import { platformLabel } from '@fanfare/connectors/platform';
import type { ErrorType } from '../../deliveries/domain/error-type.ts';
import type { Publication } from './publication.ts';

interface Reason {
  readonly errorType: ErrorType;
  readonly message: string;
}

/** Why deliveries end because of another one, without having been public. */
export function reasonOf(publication: Publication): Reason {
  if (publication.strategy === 'primary_first') {
    const [name, what] = [
      brokenName(publication),
      isUnknown(publication) ? 'it is not known whether it was published there' : 'publishing it there failed',
    ];
    return { errorType: 'primary_failed', message: `Not sent: this post goes to ${name} first, and ${what}.` };
  }
  return { errorType: 'other_target_failed', message: `Not published: ${allOrNone(publication)}` };
}

/** Of a delivery that begins when the primary one has succeeded. */
export const waitsForPrimary = ({ members: [primary] }: Publication): string =>
  `Not sent yet: this post goes to ${primary ? platformLabel(primary.platform) : 'another account'} first.`;

/** Of a delivery of which only the commit is left. */
export const WAITS_FOR_ITS_TURN =
  'Prepared. This post goes to all of its accounts or to none: it is published when it is prepared for all of them, to one after the other.';

/** Of a delivery that is public while the others of its publication are not. */
export const WAITS_FOR_OTHERS =
  'Published. This post goes to all of its accounts or to none: it is removed here again if publishing it to another account fails.';

/** Why a delivery is removed from its platform after it was published. */
export const reasonOfRemoval = (publication: Publication): string => `It is being removed again: ${allOrNone(publication)}`;

/** The result of a delivery that was removed. */
export const reasonOfRemoved = (publication: Publication): Reason => ({
  errorType: 'other_target_failed',
  message: `Published, and removed again: ${allOrNone(publication)}`,
});

/** The warning of a delivery that could not be removed. */
export const warningOfKept = (publication: Publication, detail: string): string =>
  `This post stays here, although publishing it to ${brokenName(publication)} failed: it could not be removed. ${detail}`;

function allOrNone(publication: Publication): string {
  const name = brokenName(publication);
  const what = isUnknown(publication) ? `it is not known whether it was published to ${name}` : `publishing it to ${name} failed`;
  return `this post goes to all of its accounts or to none, and ${what}.`;
}

const isUnknown = ({ broken_by }: Publication): boolean => broken_by?.state === 'unknown';
const brokenName = ({ broken_by: broken }: Publication): string => (broken ? platformLabel(broken.platform) : 'another account');
