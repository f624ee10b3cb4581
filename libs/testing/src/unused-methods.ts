import { DomainError } from '@fanfare/errors';
import type { Handlers } from '@fanfare/rpc';

type Definition = Readonly<Record<string, { readonly path: string }>>;

/** Handlers of a fake service for methods that the service under test must not call: each returns internal_error and names the method. */
export function unusedMethods<D extends Definition>(definition: D): Handlers<D> {
  const handlers = Object.entries(definition).map(([name, { path }]) => [
    name,
    () => Promise.reject(new DomainError('internal_error', `${path} is not expected to be called here.`)),
  ]);
  return Object.fromEntries(handlers) as Handlers<D>;
}
