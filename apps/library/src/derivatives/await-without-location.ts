import { DomainError } from '@fanfare/errors';
import { msUntil } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { findDerivative, findOrWant, useDerivative, type DerivativeDocument, type ReadyDerivative } from './store/derivatives.ts';
import type { MediaDocument } from '../media/store/media.ts';
import { WITHOUT_LOCATION, wantedOf } from './enqueue-derivatives.ts';

const POLL_MS = 50;
/** How long after an internal error a request for the derivative retries it. */
export const RETRY_FAILED_AFTER_MS = 60_000;
/** The part of the deadline that is reserved for the response. */
const RESERVE_MS = 500;

/** Whether a media may contain location data. True for media of earlier versions, which did not check. */
export const mayHaveLocation = ({ facts }: MediaDocument): boolean => facts?.has_location !== false;

/**
 * Returns the copy of a media without location data. Waits for it until shortly before the deadline.
 * @throws DomainError internal_error if it is not ready by then: the original must never be used instead
 */
export async function awaitWithoutLocation(context: Context, document: MediaDocument, deadline: Date): Promise<ReadyDerivative> {
  const wanted = { ...wantedOf(document, WITHOUT_LOCATION), becomes: 'without_location_id' as const };
  let found: DerivativeDocument | null = await findOrWant(context.db, wanted, RETRY_FAILED_AFTER_MS);
  if (found.status === 'waiting') for (const wake of context.afterWanted) wake();
  while (found?.status === 'waiting' && msUntil(deadline) > POLL_MS + RESERVE_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    found = await findDerivative(context.db, found._id);
  }
  if (found?.status !== 'ready') throw notReady(found?.failure?.detail);
  await useDerivative(context.db, found);
  return found as ReadyDerivative;
}

const notReady = (cause?: string) =>
  new DomainError('internal_error', 'The copy of this media without location data is not ready yet. Retry in a moment.', {
    retryAfterSeconds: 5,
    cause,
  });
