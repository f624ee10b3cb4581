import { Rejection } from '../../wire/reply.ts';
import { reject, unknownPath } from './errors.ts';

/** Versions that are available on 2026-11-21; both ends change with releases by Meta. */
const oldestLiving = 21;
const newest = 26;

/** Graph would choose a version for a call without one; here it is rejected, so that a missing version is noticed. */
export function requireVersion(segment: string | undefined, path: string): void {
  if (segment === undefined)
    throw reject({ message: `The path ${path} names no version: begin it with one, such as /v${newest}.0`, code: 2500 });
}

/** The version that serves a call: an expired one, or none, is served by the oldest available one. A version that does not exist is an unknown path. */
export function servedVersion(segment: string | undefined, path: string): string {
  if (segment === undefined) return `v${oldestLiving}.0`;
  const major = /^v(\d+)\.0$/.exec(segment)?.[1];
  const oldButReal = /^v(1\.0|2\.\d+|3\.[0-3]|[4-9]\.0)$/.test(segment);
  if (!oldButReal && (major === undefined || Number(major) > newest)) throw new Rejection(unknownPath(path));
  return oldButReal || Number(major) < oldestLiving ? `v${oldestLiving}.0` : segment;
}
