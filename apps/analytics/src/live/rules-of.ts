import { connectorFor, type Platform, type ReadingRules } from '@fanfare/connectors';

/** What can be asked of a platform. */
export function rulesOf(platform: Platform): ReadingRules {
  const { reading } = connectorFor(platform);
  if (!reading) throw new Error(`The connector of ${platform} cannot read.`);
  return reading.rules;
}
