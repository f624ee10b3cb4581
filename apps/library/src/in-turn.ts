/** Runs work of one key one after another, in the order in which it was asked for; work of other keys goes on beside it. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * For transactions that write the same row: side by side they would conflict, and each begin anew until it is alone. Within this process that is;
 * those of other replicas still conflict, and MongoDB decides.
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
