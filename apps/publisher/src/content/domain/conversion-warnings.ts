import { checkConversions, type Connector, type Content } from '@fanfare/connectors';
import type { DeliveryContent } from './delivery-content.ts';
import { pathOf } from './path-of.ts';

/** Warnings for images and videos that lose quality in a conversion. */
export function conversionWarnings(rules: Pick<Connector, 'limits' | 'check'>, content: Content, given: DeliveryContent): string[] {
  const lost = checkConversions(rules, content).filter(({ losesQuality }) => losesQuality);
  return lost.map(({ field, message }) => `${pathOf(field, given)}: ${message}`);
}
