/** Runs work with the same key sequentially, in the order of the calls. Work with other keys runs concurrently. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Serializes transactions of this process that write the same row. Concurrently, they would conflict and retry until they are alone. Those of other
 * replicas still conflict, which MongoDB resolves.
 */
export function createInTurn(): InTurn {
  const lasts = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const done = (lasts.get(key) ?? Promise.resolve()).then(work);
    const last = done
      .catch(() => undefined)
      .then(() => {
        if (lasts.get(key) === last) lasts.delete(key);
      });
    lasts.set(key, last);
    return done;
  };
}
