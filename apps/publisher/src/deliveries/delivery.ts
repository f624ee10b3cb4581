import type { Platform, State } from '@fanfare/connectors';
import type { DeliveryStatus } from '@fanfare/contracts/publisher/events';
import type { LeasedRow } from '@fanfare/leased-work';
import type { Head, Link } from '@fanfare/ledger';
import type { DeliveryContent } from '../content/domain/delivery-content.ts';
import type { Restored } from '../restore/domain/restored.ts';
import type { Strategy } from '../strategies/domain/publication.ts';
import type { DeliveryEntry } from './domain/delivery-entries.ts';
import type { ErrorType } from './domain/error-type.ts';
import { WAITING_FOR_PRIMARY, type Stage } from './domain/stage.ts';

/**
 * A commit whose outcome is not known yet. Stored before its first byte may be sent; kept when the delivery ends
 * with an unknown outcome.
 */
export interface CommitDocument {
  began_at: Date;
  /** How far the test clock of its organization was ahead then. Absent if it was not sent by this row, and in older rows. */
  ahead_ms?: number;
  /** No byte of it is sent after this time. */
  deadline_at: Date;
  /** From this time on, reading the platform is meaningful. */
  settled_at: Date;
  fingerprint: string;
  /** How often reading the platform found nothing. */
  finds: number;
  /** How often it could not be read at all. */
  failed_reads: number;
}

/** One post on its way to one account. */
export interface DeliveryDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  post_id: string;
  publication_id: string;
  integration_id: string;
  platform: Platform;
  /** The platform's id of the account, set when the delivery begins: the same account may be connected in several businesses. */
  account_id?: string;
  flow_id: string;
  created_at: Date;
  updated_at: Date;
  due_at: Date;
  /** If it has not begun by then, it is not sent. Absent: there is no such time. */
  publish_before?: Date;
  revision: number;
  status: DeliveryStatus;
  /** Whether there is work left. */
  open: boolean;
  content: DeliveryContent;
  /** Results of its steps by name, in the order of their first run; for operators. Absent in older rows. */
  steps?: Readonly<Record<string, StepDocument>>;
  /** How it depends on the other deliveries of its publication; absent if it does not. */
  strategy?: Strategy;
  /**
   * What it waits for or stops at: `WAITING_FOR_PRIMARY` before it begins, `preparing` until only its commit is left, `prepared` until it may be made public.
   * Those that wait for the primary one and `prepared` ones have no `run_at`, so that no process leases them.
   */
  stage?: Stage;
  /** Progress in the connector's own terms. Cleared at the end: it may contain an upload URL of the platform. */
  state: State;
  commit?: CommitDocument;
  /** When the first commit began whose response was lost. */
  lost_commit_at?: Date;
  /** How many commits the platform lost, by its own proof. */
  lost_commits?: number;
  /** A publicly visible follow-up that was begun: it is never begun again. */
  begun_follow_up?: string;
  /** When it is due to run; while a process has the lease, when that lease ends. */
  run_at: Date;
  fence: number;
  /** Of publishing: how many commits were begun. Leases do not count. */
  attempts: number;
  /** Failures since the last step that succeeded. */
  failures: number;
  /** How many of these failures sent nothing. */
  unsent?: number;
  /** When it was published. */
  published_at?: Date;
  publish_id?: string;
  post_url?: string;
  error_type?: ErrorType;
  error_message?: string;
  /** Reservations of quotas that posts use, by name: amount and window. Returned when the delivery certainly ends without a post. */
  budgets_held?: Readonly<Record<string, { readonly amount: number; readonly at: Date }>>;
  /** How often in a row it had to wait for a quota. */
  budget_waits?: number;
  /** Messages for the caller about what is missing around a published post. */
  warnings: string[];
  /** Set after the database was restored from a backup, if it may have been sent since. */
  restored?: Restored;
  /** The wait that was reported to callers. */
  waiting?: WaitingDocument;
  /** The fence when it was last released; a lease adds one. Absent in rows of older versions. */
  released_fence?: number;
  /** The last entry of its timeline. */
  ledger?: Head;
  /** The wait that the last entry of its timeline reports; absent if that is none. */
  told_wait?: string;
  /** Entries of its timeline that a plain write has added. The next transaction moves them to the ledger. */
  entries?: Link[];
}

/** It waits until the others of its publication let it continue: no process leases it. */
export const waitsForOthers = ({ stage }: { readonly stage?: DeliveryDocument['stage'] | undefined }): boolean =>
  stage === WAITING_FOR_PRIMARY || stage === 'prepared';

/** A delivery that is not stored yet. */
export type NewDelivery = Omit<DeliveryDocument, 'run_at'>;

/** Fields to set; undefined ones are removed. */
export type Change = { readonly [K in keyof DeliveryDocument]?: DeliveryDocument[K] | undefined };

/** A running delivery in memory: it already contains the changes in `unwritten`, which are stored with the next write. */
export interface LeasedDelivery extends DeliveryDocument {
  readonly unwritten?: Change;
  /** What happened since the last write, for the timeline. */
  readonly newEntries?: readonly DeliveryEntry[];
}

interface StepDocument {
  /** `ok`, `lost`, `given_up` or the class of the failure. */
  outcome: string;
  runs: number;
  ended_at: Date;
}

export interface WaitingDocument {
  /** `held`: an operator has paused it. */
  reason: 'rate_limited' | 'retry' | 'confirming' | 'held' | 'others' | 'removing';
  /** Absent when unknown. */
  until?: Date;
  message: string;
}

/** What is reported to callers of a wait that begins now. */
export interface Waiting extends Pick<WaitingDocument, 'reason' | 'message'> {
  /** Whether its end is reported: false if it is unknown. */
  readonly isEndKnown: boolean;
}
