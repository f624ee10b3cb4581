import { paddingHelps, type Content, type ContentFinding, type Limits } from '@fanfare/connectors';
import { TRACKED_LENGTH } from '@fanfare/connectors/preflight';
import type { DeliveryContent } from './delivery-content.ts';
import { pathOf } from './path-of.ts';

/** Why a post is not sent: the field of the post, what is wrong with it, and the option that would fix it. */
export function rejectionMessage(
  { field, rule, message }: ContentFinding,
  { media, options }: Content,
  limits: Limits,
  given: DeliveryContent,
): string {
  if (rule === 'max_length' && given.link_tracking && LINKED_FIELDS.has(field))
    return `${pathOf(field, given)}: ${message} ${TRACKED_LENGTH}`;
  const one = rule === 'ratio' ? media[Number(field.split('.')[1])] : undefined;
  return `${pathOf(field, given)}: ${message}${one && paddingHelps(limits, one, options) ? ` ${PAD}` : ''}`;
}

const LINKED_FIELDS: ReadonlySet<string> = new Set(['caption', 'link', 'first_comment']);
const PAD = "To pad it, set media_fit to pad in the options of this platform's override or in the settings of the account.";
