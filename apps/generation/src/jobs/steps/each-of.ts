/** Processes all items, some at a time. After a failure it starts no more, and waits for the running ones. */
export async function eachOf<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const failures: unknown[] = [];
  await Promise.all(
    Array.from({ length: Math.min(atOnce, all.length) }, async () => {
      for (let one = waiting.shift(); one !== undefined && failures.length === 0; one = waiting.shift()) {
        try {
          await work(one);
        } catch (error) {
          failures.push(error);
        }
      }
    }),
  );
  if (failures.length > 0) throw failures[0];
}
