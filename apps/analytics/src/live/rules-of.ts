import { connectorFor, ONE_CALL, type Platform, type ReadCalls, type ReadingRules } from '@fanfare/connectors';

/** What a platform provides: its metrics, periods and limits. */
export function rulesOf(platform: Platform): ReadingRules {
  const { reading } = connectorFor(platform);
  if (!reading) throw new Error(`The connector of ${platform} does not support reading.`);
  return reading.rules;
}

/** How many calls its reads make. */
export const readCallsOf = (platform: Platform): ReadCalls => connectorFor(platform).readCalls ?? ONE_CALL;
