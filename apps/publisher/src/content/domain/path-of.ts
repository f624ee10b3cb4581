import type { DeliveryContent } from './delivery-content.ts';

type Overridden = Pick<DeliveryContent, 'overridden_at' | 'overridden'>;

/** The path in the post of a field that was sent: the post's own field, or that of an override. */
export function pathOf(field: string, { overridden_at: places, overridden: before }: Overridden): string {
  const [name = '', ...rest] = field.split('.');
  const place = places?.[name as keyof typeof places] ?? (before?.fields.some((one) => one === name) ? before.index : undefined);
  return [...(place === undefined ? [] : ['platform_overrides', place]), name === 'media' ? 'media_urls' : name, ...rest].join('.');
}
