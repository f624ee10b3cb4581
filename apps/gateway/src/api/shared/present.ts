/** @throws Error when the response of a service lacks the resource that its contract promises */
export function present<T>(resource: T | undefined): T {
  if (resource === undefined) throw new Error('A service returned no resource.');
  return resource;
}
