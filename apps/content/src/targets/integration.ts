import type { IntegrationStatus } from '@fanfare/contracts/publisher';

/** Content's copy of a connected account, from the publisher's events, so that a claim calls no other service. */
export interface IntegrationDocument {
  _id: string;
  organization_id: string;
  business_id: string;
  platform: string;
  /** The account's id on the platform; absent in rows of versions that did not store it. */
  account_id?: string;
  status: IntegrationStatus;
  /** The default options of its posts: the settings of the account over the values from its platform; absent like `account_id`. */
  settings?: Record<string, unknown>;
  /** When access certainly ends unless a person reconnects it; absent if no such time is known, and in rows of older versions. */
  access_ends_at?: Date;
  revision: number;
}
