import { createLoadGenerator, type Load, type LoadGenerator, type Target } from '../load/run-load.ts';
import { cpuBetween, usageOf, type Processes } from '../process-usage.ts';
import { percentile } from '../percentile.ts';

/** One of the operations that are measured in turns. */
export interface Contender {
  readonly name: string;
  readonly target: Target;
  readonly processes: Processes;
  /** Work that remains after its last response; its CPU counts. */
  drain?(): Promise<void>;
}

/** Medians of the rounds; CPU of all of them. */
export interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Of each process, in microseconds per request; empty without /proc. */
  readonly cpuMicros: Readonly<Record<string, number>>;
  readonly bytesPerResponse: number;
  readonly responses: number;
  /** Time from the last response until no work remained: the longest. */
  readonly drainedMs: number;
}

export interface Turns {
  readonly concurrency: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** Until the code is compiled: long enough on a slow machine, and no longer than needed on a fast one. */
const WARM_UP = { requests: 5_000, seconds: 8 };

/** Measures contenders in turns, round after round, so that a machine that is busy for a while affects them alike. */
export async function compare(contenders: readonly Contender[], { concurrency, rounds, seconds }: Turns): Promise<Record<string, Figures>> {
  const generators = contenders.map(({ target }) => createLoadGenerator(target, concurrency));
  const measured = contenders.map((): Round[] => []);
  try {
    for (const [at, generator] of generators.entries()) {
      await generator.run(WARM_UP);
      await contenders[at]?.drain?.();
    }
    for (let round = 0; round < rounds; round++) {
      for (const [at, contender] of contenders.entries()) {
        measured[at]?.push(await oneRound(contender, generators[at] as LoadGenerator, seconds));
      }
    }
  } finally {
    await Promise.all(generators.map((generator) => generator.close()));
  }
  return Object.fromEntries(contenders.map(({ name }, at) => [name, summarize(measured[at] ?? [])]));
}

interface Round {
  readonly load: Load;
  readonly cpuSeconds: Readonly<Record<string, number>>;
  readonly drainedMs: number;
}

async function oneRound({ processes, drain }: Contender, generator: LoadGenerator, seconds: number): Promise<Round> {
  const before = await usageOf(processes);
  const load = await generator.run({ seconds });
  const respondedAt = performance.now();
  await drain?.();
  const drainedMs = performance.now() - respondedAt;
  return { load, cpuSeconds: cpuBetween(before, await usageOf(processes)), drainedMs: drain ? drainedMs : 0 };
}

function summarize(rounds: readonly Round[]): Figures {
  const median = (value: (round: Round) => number) => percentile(rounds.map(value), 50);
  const sum = (value: (round: Round) => number) => rounds.reduce((total, round) => total + value(round), 0);
  const responses = sum(({ load }) => load.responses);
  const names = Object.keys(rounds[0]?.cpuSeconds ?? {});
  return {
    perSecond: median(({ load }) => load.responses / load.seconds),
    p50Ms: median(({ load }) => percentile(load.latenciesMs, 50)),
    p95Ms: median(({ load }) => percentile(load.latenciesMs, 95)),
    p99Ms: median(({ load }) => percentile(load.latenciesMs, 99)),
    cpuMicros: Object.fromEntries(names.map((name) => [name, (1e6 * sum(({ cpuSeconds }) => cpuSeconds[name] ?? 0)) / responses])),
    bytesPerResponse: sum(({ load }) => load.bytes) / responses,
    responses,
    drainedMs: Math.max(...rounds.map(({ drainedMs }) => drainedMs)),
  };
}
