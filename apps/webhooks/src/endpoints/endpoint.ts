import type { LeasedRow } from '@fanfare/leased-work';
import type { Editable } from '@fanfare/mongo';
import type { Version } from '@fanfare/resources';

/** What is sent: the event itself, or a message for people. */
export type EndpointFormat = 'standard' | 'slack' | 'discord';

export type DisabledReason = 'requested' | 'gone' | 'failing';

/**
 * Where an organization receives its events. It is also the row that a process leases in order to send: everything that is decided per endpoint (order,
 * rate, waits, requests in flight) is decided in one process.
 */
export interface EndpointDocument extends LeasedRow, Editable {
  organization_id: string;
  /** 0 to 19; unique in the organization, which bounds the number of its endpoints. */
  slot: number;
  /** Raised by each change of the settings, and when it is disabled. */
  revision: number;
  created_at: Date;
  /** `EndpointSecrets` as JSON, encrypted for `endpoint:{id}`. */
  sealed: string;
  /** What callers see of the URL. */
  shown_url: string;
  header_names: string[];
  /** Until when webhooks are signed with the newest former secret too. */
  former_secret_until?: Date;
  events: string[];
  /** Empty means all. */
  business_ids: string[];
  /** Empty means all. */
  platforms: string[];
  description: string;
  enabled: boolean;
  disabled_reason?: DisabledReason;
  version: Version;
  format: EndpointFormat;
  ordered: boolean;
  rate_limit_per_second?: number;
  /** When the first failed attempt after the last success began. */
  failing_since?: Date;
  /** Failed attempts in a row. */
  failures: number;
  /** Nothing is sent before: it failed too often in a row, or requested a wait. */
  paused_until?: Date;
  /** When a delivery is due; while it is leased, when the lease ends. Absent if nothing is to be sent. */
  send_at?: Date;
  /** A process has leased it and is sending. It reads `queued` to know whether it may stop. */
  held: boolean;
  /** Raised in each transaction that adds deliveries. */
  queued: number;
  /** A recovery in progress: events after `after`, up to `until`, that were not delivered. */
  recovery?: { after: number; until: number };
}

/** What is never stored in clear. The URL of an incoming webhook of Slack or Discord is a credential. */
export interface EndpointSecrets {
  readonly url: string;
  /** whsec_ and base64. */
  readonly secret: string;
  /** Newest first. Webhooks are signed with each until its time, an ISO 8601 time. */
  readonly formerSecrets?: readonly { readonly secret: string; readonly until: string }[];
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}
