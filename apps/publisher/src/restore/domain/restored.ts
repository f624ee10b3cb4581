/** A delivery that may have been sent after the backup from which its row was restored, or for which no row existed then. */
export interface Restored {
  /** When the backup was made. */
  since: Date;
  /**
   * - `checking`: it is reconciled before anything else happens. If it ends so, its outcome is unknown.
   * - `found`: the platform has its post. What others can see of it, such as the first comment, is not sent again.
   * - `absent`: the platform does not have its post, by its own proof. It continues like every delivery.
   */
  result: 'checking' | 'found' | 'absent';
}

/**
 * Added to the revisions of such deliveries: events with higher revisions than those of the backup may have been received by others, and would make later ones
 * ineffective. No delivery has as many.
 */
export const LOST_REVISIONS = 1_000;
