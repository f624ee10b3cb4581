import type { Platform } from '@fanfare/connectors';
import type { IntegrationStatus } from '@fanfare/contracts/publisher';
import type { LeasedRow } from '@fanfare/leased-work';

/** A connected account, as the publisher's latest event described it, with the time of its next snapshot. */
export interface AccountDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  platform: Platform;
  account_id: string;
  status: IntegrationStatus;
  /** The account's revision at the publisher. */
  revision: number;
  /** When its statistics are read next; absent while it is disconnected. */
  snapshot_at?: Date;
  /** The last day, in the platform's time zone, whose statistics are stored. */
  last_day?: string;
  attempts?: number;
}
