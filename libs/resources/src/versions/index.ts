import { EVENT_TYPES, type EventType } from '../event-types.ts';
import { addSelfLink } from './2026-07-17-add-self-link.ts';
import type { VersionChange, VersionedResource } from './version-change.ts';

/** Used for requests that name no version or an unknown one. Never changes. */
export const FLOOR_VERSION = '2026-04-08';

/** Oldest first. */
export const VERSIONS = [FLOOR_VERSION, '2026-07-17', '2026-08-02', '2026-08-04', '2026-08-06'] as const;

export type Version = (typeof VERSIONS)[number];

/** Oldest first. */
export const CHANGES: readonly VersionChange[] = [addSelfLink];

/** The version that handlers and schemas are written in. */
export const CURRENT_VERSION: Version = '2026-08-06';

export const toVersion = (requested: unknown): Version => VERSIONS.find((version) => version === requested) ?? FLOOR_VERSION;

type Json = Readonly<Record<string, unknown>>;

/** Converts a request's body from an older version to the current one. */
export function upgradeRequest(version: Version, resource: VersionedResource | undefined): (body: unknown) => unknown {
  const changes = CHANGES.filter((change) => change.date > version && change.resource === resource);
  return (body) => (isObject(body) ? changes.reduce<Json>((value, change) => change.up(value), body) : body);
}

/** Converts a response from the current version to an older one. `items` of a page are resources of the same kind. */
export function downgradeResponse(version: Version, resource: VersionedResource | undefined): (response: Json) => Json {
  const changes = CHANGES.filter(({ date }) => date > version).reverse();
  if (resource === 'event') return ofEvents(version);
  return (response) =>
    changes.reduce<Json>((value, change) => {
      if (change.resource === 'response') return change.down(value);
      if (change.resource !== resource) return value;
      const { items } = value;
      return Array.isArray(items) ? { ...value, items: items.map((item) => change.down(item as Json)) } : change.down(value);
    }, response);
}

/** Single events and pages of them have no `self`, and no other member that a change of all responses is about. */
function ofEvents(version: Version): (response: Json) => Json {
  const downgrade = downgradeEvent(version);
  return (response) => {
    const { items } = response;
    return Array.isArray(items) ? { ...response, items: items.map((item) => downgrade(item as Json)) } : downgrade(response);
  };
}

/** Converts an event, and the resource in it, from the current version to an older one. */
export function downgradeEvent(version: Version): (event: Json) => Json {
  const changes = CHANGES.filter(({ date }) => date > version).reverse();
  const downgrade = (value: unknown, resource: VersionedResource | undefined): unknown =>
    isObject(value)
      ? changes.reduce<Json>((current, change) => (change.resource === resource ? change.down(current) : current), value)
      : value;
  return (event) => {
    const type = (EVENT_TYPES as Readonly<Record<string, EventType | undefined>>)[String(event['type'])];
    const { data, previous, ...rest } = downgrade(event, 'event') as Json;
    return { ...rest, data: downgrade(data, type?.resource), previous: downgrade(previous, type?.resource) };
  };
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
