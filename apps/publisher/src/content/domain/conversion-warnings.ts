import { checkConversions, type Connector, type Content } from '@fanfare/connectors';
import type { DeliveryContent } from './delivery-content.ts';
import { pathOf } from './path-of.ts';

/** What its author should know of a post whose pictures and videos lose quality before they are sent. */
export function conversionWarnings(rules: Pick<Connector, 'limits' | 'check'>, content: Content, given: DeliveryContent): string[] {
  const lost = checkConversions(rules, content).filter(({ losesQuality }) => losesQuality);
  return lost.map(({ field, message }) => `${pathOf(field, given)}: ${message}`);
}
