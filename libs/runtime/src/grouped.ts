interface Waiting<I, R> {
  readonly item: I;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Batches concurrent work: a single item starts at once, and items that arrive meanwhile share the next call, so that under load one round trip
 * serves many. One group is in progress at a time, in the order of arrival.
 * @param options.most the maximum size of a group
 * @param options.keyOf two items with the same key are never in one group; if absent, any items may be
 * @param options.work returns results in the order of the items; an error that it throws fails all items of the group
 */
export function grouped<I, R>(options: {
  most: number;
  keyOf?: (item: I) => string;
  work: (items: readonly I[]) => Promise<readonly PromiseSettledResult<R>[]>;
}): (item: I) => Promise<R> {
  const { most, keyOf, work } = options;
  let waiting: Waiting<I, R>[] = [];
  let isUnderWay = false;

  const next = (): Waiting<I, R>[] => {
    const keys = new Set<string>();
    const group: Waiting<I, R>[] = [];
    const rest: Waiting<I, R>[] = [];
    for (const one of waiting) {
      const key = keyOf?.(one.item);
      const fits = group.length < most && (key === undefined || !keys.has(key));
      if (key !== undefined) keys.add(key);
      (fits ? group : rest).push(one);
    }
    waiting = rest;
    return group;
  };

  const drain = async () => {
    isUnderWay = true;
    while (waiting.length > 0) {
      const group = next();
      try {
        const results = await work(group.map(({ item }) => item));
        for (const [index, { resolve, reject }] of group.entries()) {
          const result = results[index];
          if (result?.status === 'fulfilled') resolve(result.value);
          else reject(result?.reason);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isUnderWay = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isUnderWay) void drain();
    });
}

/**
 * Work for `grouped` that succeeds or fails for a whole group: if one item makes the group fail, each item is processed alone.
 * @param work returns results in the order of the items
 * @param isOfOne whether a failure may be caused by one item, and not by all of them
 */
export function allOrEach<I, R>(
  work: (items: readonly I[]) => Promise<readonly R[]>,
  isOfOne: (error: unknown) => boolean,
): (items: readonly I[]) => Promise<PromiseSettledResult<R>[]> {
  return async function attempt(items): Promise<PromiseSettledResult<R>[]> {
    try {
      return (await work(items)).map((value) => ({ status: 'fulfilled', value }));
    } catch (error) {
      if (items.length === 1) return [{ status: 'rejected', reason: error }];
      if (!isOfOne(error)) throw error;
      const results: PromiseSettledResult<R>[] = [];
      for (const item of items) results.push(...(await attempt([item])));
      return results;
    }
  };
}
