import { connectorFor } from '@fanfare/connectors';
import type { AccountDocument } from '../accounts/account.ts';
import type { Config } from '../config.ts';

const WORKING = ['INTEGRATION_STATUS_CONNECTED', 'INTEGRATION_STATUS_EXPIRING'];

/** Whether the statistics of an account can be read. */
export const isReadable = ({ status, platform, account_id: accountId }: AccountDocument, { readsOff }: Config): boolean =>
  WORKING.includes(status) && !readsOff.has(platform) && connectorFor(platform).reading?.lack?.({ accountId }) === undefined;
