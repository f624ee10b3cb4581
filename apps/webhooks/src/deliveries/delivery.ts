import type { EventTypeName } from '@fanfare/resources';

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

/** An event for an endpoint. One for each pair: sending it again is another attempt of the same delivery. Deleted together with the event. */
export interface DeliveryDocument {
  /** Derived from the event and the endpoint. */
  _id: string;
  organization_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: EventTypeName;
  business_id: string;
  resource_id: string;
  /** The event's: deliveries of a resource are first sent in this order. */
  sequence: number;
  status: DeliveryStatus;
  created_at: Date;
  /** When its first attempt was due: the creation, or the last request to deliver it again. It fails a day later. */
  begun_at: Date;
  /** Absent unless it is pending. */
  next_attempt_at?: Date;
  /** Attempts since `begun_at`, which decide the delay after a failure. */
  tries: number;
  attempt_count: number;
  ended_at?: Date;
  /** Why it failed although its last attempt does not show it. */
  error?: string;
  /** The last attempts, oldest first. */
  attempts: AttemptDocument[];
  expires_at: Date;
}

/** One request to an endpoint. Contains no secret. */
export interface AttemptDocument {
  at: Date;
  duration_ms: number;
  status_code?: number;
  /** Why it failed, for people. */
  error?: string;
  request: ExchangedDocument;
  response?: ExchangedDocument;
}

/** One direction of an exchange. */
export interface ExchangedDocument {
  headers: Record<string, string>;
  body: string;
  is_cut: boolean;
}
