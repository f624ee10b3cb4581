const RightDate = Date;

/** Runs work while this machine's clock is wrong. The monotonic clock and the database's clock are right. */
export async function withWrongClock<T>(aheadMs: number, run: () => Promise<T>): Promise<T> {
  class WrongDate extends RightDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(RightDate.now() + aheadMs);
      else super(...(given as [number]));
    }

    static override now(): number {
      return RightDate.now() + aheadMs;
    }
  }
  globalThis.Date = WrongDate as DateConstructor;
  try {
    return await run();
  } finally {
    globalThis.Date = RightDate;
  }
}
