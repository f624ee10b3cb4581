import { fanOutRows, type FanOutRow } from './fan-out-rows.ts';

/** A change that can put waiting posts of the business at risk. The id is that of the account or the business that has changed. */
export const riskCheckRows = fanOutRows<FanOutRow>('risk_checks');
