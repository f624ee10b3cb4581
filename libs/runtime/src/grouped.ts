interface Asked<I, R> {
  readonly item: I;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Does together what is asked for while the same is under way: what is asked for alone begins at once, and under load one round trip serves many.
 * One group is under way at a time, in the order of the asks.
 * @param options.most how many of a group at most
 * @param options.keyOf no two with the same key are in one group; without it any are
 * @param options.work answers in the order of the items; what it throws, all of the group get
 */
export function grouped<I, R>(options: {
  most: number;
  keyOf?: (item: I) => string;
  work: (items: readonly I[]) => Promise<readonly PromiseSettledResult<R>[]>;
}): (item: I) => Promise<R> {
  const { most, keyOf, work } = options;
  let waiting: Asked<I, R>[] = [];
  let isUnderWay = false;

  const next = (): Asked<I, R>[] => {
    const keys = new Set<string>();
    const group: Asked<I, R>[] = [];
    const rest: Asked<I, R>[] = [];
    for (const asked of waiting) {
      const key = keyOf?.(asked.item);
      const fits = group.length < most && (key === undefined || !keys.has(key));
      if (key !== undefined) keys.add(key);
      (fits ? group : rest).push(asked);
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
 * Work for `grouped` that is done for all of a group or for none: where one of them keeps the others from being done, each is done alone.
 * @param work answers in the order of the items
 * @param isOfOne whether a failure may be about one item, and not about all of them
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
