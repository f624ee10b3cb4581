import type { IntegrationStatus } from '@fanfare/contracts/publisher';

/** What content knows of a connected account: its own projection of the publisher's events, so that a claim asks nobody. */
export interface IntegrationDocument {
  _id: string;
  organization_id: string;
  business_id: string;
  platform: string;
  /** The platform's id of the account; absent where it was taken in by a version that did not note it. */
  account_id?: string;
  status: IntegrationStatus;
  /** What stands behind the options of its posts: its settings, over what its platform says of it; absent as above. */
  settings?: Record<string, unknown>;
  revision: number;
}
