import type { JsonRoute } from '../route.ts';
import { DESCRIBED_BASE_URL } from './described-base-url.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

/** The example of a route's successful response in the current version: its own, or that of its schema. */
export function exampleResponse(route: Pick<JsonRoute, 'method' | 'path' | 'self' | 'returns' | 'examples'>): unknown {
  const response: unknown = route.examples?.response ?? route.returns.meta()?.['example'];
  return response !== undefined && route.self ? { self: selfOf(route), ...(response as object) } : response;
}

function selfOf({ method, path, self }: Pick<JsonRoute, 'method' | 'path' | 'self'>): string {
  // An action such as …/posts/{post_id}/schedule returns the resource that it changed.
  const ofResource = self === 'resource' && method === 'post' ? path.slice(0, path.lastIndexOf('/')) : path;
  return (
    DESCRIBED_BASE_URL + ofResource.replace(/\{(\w+)\}/g, (_, name: string) => (EXAMPLE_IDS as Record<string, string>)[name] ?? 'unknown')
  );
}
