import { releaseDelivery, releasingToWait, type Change, type WaitingDocument } from '../deliveries/store/deliveries.ts';
import { tell } from './move.ts';
import type { Run } from './run.ts';

/** A shorter wait is over before anybody has read of it. */
const TOLD_FROM_MS = 10_000;
/** Longer than the dispatcher remembers what is held. */
const HELD_PAUSE_MS = 2_000;

type Waiting = Pick<Run, 'context' | 'delivery'>;

/** Gives the delivery back for `inMs`, before `TIME_SCALE`, and tells of it where that is long. @throws LeaseLost */
export async function wait(
  { context, delivery }: Waiting,
  { inMs: fullMs, reason, message }: { readonly inMs: number } & Pick<WaitingDocument, 'reason' | 'message'>,
  change: Change = {},
): Promise<void> {
  const inMs = fullMs * context.config.timeScale;
  if (fullMs < TOLD_FROM_MS) return releaseDelivery(context.db, delivery, { inMs }, change);
  await tell(context, releasingToWait(delivery, { inMs, isKnown: true, reason, message }, change));
}

/** Gives the delivery back until operators let it go on, and tells of that once. @throws LeaseLost */
export async function hold({ context, delivery }: Waiting): Promise<void> {
  if (delivery.waiting?.reason === 'held') return releaseDelivery(context.db, delivery, { inMs: HELD_PAUSE_MS });
  const message = 'Sending is paused for now by those who run the service.';
  await tell(context, releasingToWait(delivery, { inMs: HELD_PAUSE_MS, isKnown: false, reason: 'held', message }, {}));
}
