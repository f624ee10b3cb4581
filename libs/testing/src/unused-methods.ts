import { DomainError } from '@fanfare/errors';
import type { Handlers } from '@fanfare/rpc';

type Definition = Readonly<Record<string, { readonly path: string }>>;

/** Handlers of a pretend service for what the one under test must never ask it: each returns internal_error and says which it was. */
export function unusedMethods<D extends Definition>(definition: D): Handlers<D> {
  const handlers = Object.entries(definition).map(([name, { path }]) => [
    name,
    () => Promise.reject(new DomainError('internal_error', `${path} is not expected to be called here.`)),
  ]);
  return Object.fromEntries(handlers) as Handlers<D>;
}
