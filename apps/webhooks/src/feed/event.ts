import type { EventTypeName } from '@fanfare/resources';

/** Something that happened to a resource. Never changes. */
export interface EventDocument {
  /** UUID v7. */
  _id: string;
  organization_id: string;
  /** Per organization, without gaps, in the order in which the events were stored. */
  sequence: number;
  type: EventTypeName;
  timestamp: Date;
  /** Empty if the resource belongs to the organization. */
  business_id: string;
  /** Those of the resource; absent if it has none. */
  platforms?: string[];
  resource_id: string;
  revision: number;
  actor: string;
  request_id?: string;
  /** The resource after the change: JSON in the current version of the API. */
  data: string;
  /** The former values of changed fields: JSON. */
  previous?: string;
  /** When it was stored. It is deleted 30 days later. */
  stored_at: Date;
}

type Json = Readonly<Record<string, unknown>>;

/** What a consumer knows of an event; the rest is filled in when it is stored. */
export interface NewEvent extends Pick<
  EventDocument,
  'organization_id' | 'business_id' | 'platforms' | 'timestamp' | 'resource_id' | 'revision' | 'actor' | 'request_id'
> {
  /** Its id, if it is known before and there is one event; by default a new one. */
  readonly _id?: string;
  /**
   * One change may be several events, which share the resource; or none.
   * @param before the resource in its previous event, if that is known
   */
  types(before: Json | undefined): readonly EventTypeName[];
  /** The resource after the change, in the current version of the API. */
  readonly data: Json;
  /** How long its state is remembered, to compare the next event with it: not at all, as long as events are kept, or always. */
  readonly remembered: 'not' | 'as_events' | 'always';
}
