import type { DeliveryContent } from '../store/deliveries.ts';

/** The field in which a post shows what a platform is told in this one: its own, or that of its override. */
export function pathOf(field: string, { overridden }: Pick<DeliveryContent, 'overridden'>): string {
  const [name = '', ...rest] = field.split('.');
  const isOwn = overridden?.fields.some((one) => one === name);
  return [...(isOwn ? ['platform_overrides', overridden?.index] : []), name === 'media' ? 'media_urls' : name, ...rest].join('.');
}
