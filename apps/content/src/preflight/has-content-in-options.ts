import type { Platform } from '@fanfare/connectors/platform';
import { limitsFor, platformRules } from '@fanfare/connectors/preflight';
import type { PlatformOverride } from '@fanfare/contracts/content';

/** Whether the options of an override are content by themselves: an event on Google needs no text. */
export function hasContentInOptions({ platform, options }: Pick<PlatformOverride, 'platform' | 'options'>): boolean {
  const rules = platformRules[platform as Platform];
  return rules !== undefined && limitsFor(rules.limits, options).optionsAlone === true;
}
