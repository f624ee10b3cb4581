import type { ClockedEvent } from '@fanfare/contracts/clock';

/** What is left to do of an organization with a test clock. */
export interface WorkLeft {
  /** Something is due or in progress: the clock waits for it. */
  readonly isOpen: boolean;
  /** When a clock has to stop, exactly: a post is published then, or what happens then decides how. By the organization's clock. */
  readonly stopAt?: Date | undefined;
  /** When something else is due, which may also be done a little later. By the organization's clock. */
  readonly dueAt?: Date | undefined;
}

/** A kind of work that is due by the clocks of organizations. */
export interface ClockedWork {
  /** For logs, such as `deliveries`. */
  readonly name: string;
  /** @param isNextWanted whether to return what is due next even if something is open */
  left(organizationId: string, isNextWanted: boolean): Promise<WorkLeft>;
  /**
   * The clock has moved, or a second has passed: makes due what is due by it, for work whose processes look by the database's, and wakes those of this process.
   * @param isAll whether that includes what may also be done a little later
   */
  wake(organizationId: string, isAll: boolean): Promise<void>;
}

/** The events between services, of one service; `clockedEvents` of `@fanfare/events` makes it. */
export interface ClockedEvents {
  /** Those of an organization with a moved clock that it has emitted, and that were not forgotten. */
  emitted(organizationId: string): Promise<ClockedEvent[]>;
  forget(organizationId: string, ids: readonly string[]): Promise<void>;
  /** Those that it has to handle and has not. */
  unhandled(events: readonly ClockedEvent[]): Promise<string[]>;
}
