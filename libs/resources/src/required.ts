/** @throws Error if a message lacks a time that its contract guarantees */
export function isoTime(time: Date | undefined): string {
  if (!time) throw new Error('A message lacks a required time.');
  return time.toISOString();
}

/** @throws Error if a message lacks a resource that its contract guarantees */
export function present<T>(resource: T | undefined): T {
  if (resource === undefined) throw new Error('A message lacks a required resource.');
  return resource;
}
