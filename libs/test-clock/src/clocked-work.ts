import type { ClockedEvent } from '@fanfare/contracts/clock';

/** What is left to do of an organization with a test clock. */
export interface WorkLeft {
  /** Something is due or in progress: the clock waits for it. */
  readonly isOpen: boolean;
  /** When more is due, by the organization's clock. */
  readonly nextAt?: Date | undefined;
}

/** A kind of work that is due by the clocks of organizations. */
export interface ClockedWork {
  /** For logs, such as `deliveries`. */
  readonly name: string;
  /** Whether a clock stops exactly when it is due: a post is published, or what happens then decides how. Other work may be done a little later. */
  readonly stops: boolean;
  left(organizationId: string): Promise<WorkLeft>;
  /**
   * Makes due what is due by the organization's clock, for work whose processes look by the database's. @returns how much that is
   */
  wake?(organizationId: string): Promise<number>;
}

/** The events between services, of one service; `clockedEvents` of `@fanfare/events` makes it. */
export interface ClockedEvents {
  /** Those of an organization with a moved clock that it has emitted, and that were not forgotten. */
  emitted(organizationId: string): Promise<ClockedEvent[]>;
  forget(organizationId: string, ids: readonly string[]): Promise<void>;
  /** Those that it has to handle and has not. */
  unhandled(events: readonly ClockedEvent[]): Promise<string[]>;
}
