/** @throws Error if the response of a service lacks a resource that its contract requires */
export function present<T>(resource: T | undefined): T {
  if (resource === undefined) throw new Error('A service returned no resource.');
  return resource;
}
