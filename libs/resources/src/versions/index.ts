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

export const toVersion = (asked: unknown): Version => VERSIONS.find((version) => version === asked) ?? FLOOR_VERSION;

type Json = Readonly<Record<string, unknown>>;

/** Converts a request's body from an older version to the current one. */
export function upgradeRequest(version: Version, resource: VersionedResource | undefined): (body: unknown) => unknown {
  const changes = CHANGES.filter((change) => change.date > version && change.resource === resource);
  return (body) => (isObject(body) ? changes.reduce<Json>((value, change) => change.up(value), body) : body);
}

/** Converts a response from the current version to an older one. `items` of a page are resources of the same kind. */
export function downgradeResponse(version: Version, resource: VersionedResource | undefined): (response: Json) => Json {
  const changes = CHANGES.filter(({ date }) => date > version).reverse();
  return (response) =>
    changes.reduce<Json>((value, change) => {
      if (change.resource === 'response') return change.down(value);
      if (change.resource !== resource) return value;
      const { items } = value;
      return Array.isArray(items) ? { ...value, items: items.map((item) => change.down(item as Json)) } : change.down(value);
    }, response);
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
