/** States by which operators list deliveries. */
export const DELIVERY_STATES = ['open', 'pending', 'processing', 'waiting', 'success', 'failed', 'unknown_outcome'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
