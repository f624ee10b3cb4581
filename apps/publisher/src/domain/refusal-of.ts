import { paddingHelps, type Content, type ContentFinding, type Limits } from '@fanfare/connectors';
import type { DeliveryContent } from '../store/deliveries.ts';

/** Why a post is not sent: what is wrong, in the field in which the post shows it, and what to choose for it to be taken. */
export function refusalOf(
  { field, rule, message }: ContentFinding,
  { media, options }: Content,
  limits: Limits,
  { overridden }: DeliveryContent,
): string {
  const [name = '', ...rest] = field.split('.');
  const isOwn = overridden?.fields.some((one) => one === name);
  const path = [...(isOwn ? ['platform_overrides', overridden?.index] : []), name === 'media' ? 'media_urls' : name, ...rest].join('.');
  const one = rule === 'ratio' ? media[Number(rest[0])] : undefined;
  return `${path}: ${message}${one && paddingHelps(limits, one, options) ? ` ${PAD}` : ''}`;
}

const PAD = 'To have it padded, set media_fit to pad, in the options of the override for this platform, or in the settings of the account.';
