import { eventually } from '@fanfare/testing';
import type { Fault, HeldFault, SandboxRequest } from '../../src/sandbox.ts';
import { progress } from './options.ts';
import type { Place, Run, Scene, Verdict } from './scene.ts';
import type { Stage } from './stage.ts';

/** How long a busy machine may take for what takes seconds. */
const PATIENCE_MS = 300_000;

/** At most, on one machine. */
const CLOCKS_DIFFER_MS = 250;

/** A call that a scene makes: the n-th one of an operation. */
export interface Call {
  /** `x.create_post` */
  readonly operation: string;
  readonly nth: number;
  /** Whether it may be one that makes a post public. */
  readonly isCommit: boolean;
  readonly isRead: boolean;
}

/** A scene whose calls are known. */
export interface Rehearsed {
  readonly scene: Scene;
  readonly calls: readonly Call[];
  /** All operations that it calls. */
  readonly operations: ReadonlySet<string>;
}

/** What became of one run that was interrupted. */
export interface Outcome extends Verdict {
  readonly scene: string;
  readonly fault: string;
  /** Undefined if the fault met another run. */
  readonly place: Place | undefined;
  readonly postId: string;
}

/** What happens to the publisher while a platform is called. */
const KILLS = {
  'killed before the call is carried out': 'hold',
  'killed before the response': 'hold_after',
  'killed before the write of the response': 'hold_after',
} as const;

/** What happens to a call. The publisher continues. */
const LOSSES: Readonly<Record<string, Fault>> = {
  'connection reset before the call is carried out': { type: 'drop' },
  'connection reset before the response': { type: 'accept_then_drop' },
  'no response in time': { type: 'accept_then_timeout' },
};

const IN_TRANSACTION = 'killed before the commit of its transaction';

export const FAULTS: readonly string[] = [...Object.keys(KILLS), IN_TRANSACTION, ...Object.keys(LOSSES)];

/** Runs each scene once, on a good day, and notes what it calls: of repeated calls, the first and the last one. */
export async function rehearse({ platform: { sandbox } }: Stage, scenes: readonly Scene[]): Promise<Rehearsed[]> {
  return inLanes(scenes, async (scene) => {
    const run = await scene.prepare();
    const before = (await sandbox.requests()).at(-1)?.seq ?? 0;
    await run.begin();
    await untilEnded([run]);
    const requests = (await sandbox.requests({ since: before })).filter(({ platform }) => scene.platforms.includes(platform));
    const { wrong, result } = await run.check(undefined);
    if (result !== scene.onGoodDay || wrong.length > 0)
      throw new Error(`${scene.name} without any fault: ${[result, ...wrong].join('; ')}`);
    const commits = (await run.attempts()).flatMap((attempt) => callsAt(requests, attempt));
    const byOperation = Map.groupBy(requests, ({ operation }) => operation ?? '');
    byOperation.delete('');
    const calls = [...byOperation].flatMap(([operation, each]) =>
      [...new Set([1, each.length])].map((nth): Call => {
        const request = each[nth - 1]!;
        return { operation, nth, isCommit: commits.includes(request), isRead: request.method === 'GET' };
      }),
    );
    progress(`${scene.name}: ${calls.length} calls`);
    return { scene, calls, operations: new Set(byOperation.keys()) };
  });
}

/**
 * The calls that one which makes a post public is among: the first one after the attempt began, and those that were made at about that time, because the
 * clock of the publisher and that of the sandbox are not the same.
 */
function callsAt(requests: readonly SandboxRequest[], attempt: { readonly platform: string; readonly at: string }): SandboxRequest[] {
  const calls = requests.filter(({ platform, method }) => platform === attempt.platform && method !== 'GET');
  const since = (call: SandboxRequest) => Date.parse(call.at) - Date.parse(attempt.at);
  const first = calls.find((call) => since(call) >= 0);
  return calls.filter((call) => call === first || Math.abs(since(call)) < CLOCKS_DIFFER_MS);
}

/** Scenes that run at the same time: no two of a round call the same operation, or remove posts. */
export function roundsOf(scenes: readonly Rehearsed[]): Rehearsed[][] {
  const rounds: Rehearsed[][] = [];
  const fit = (one: Rehearsed, other: Rehearsed) =>
    !(one.scene.removes && other.scene.removes) && ![...one.operations].some((operation) => other.operations.has(operation));
  for (const one of scenes) {
    const round = rounds.find((others) => others.every((other) => fit(one, other)));
    if (round) round.push(one);
    else rounds.push([one]);
  }
  return rounds;
}

/** Runs the scenes of a round, with the publisher killed at each of their calls: once for all. */
export async function killed(stage: Stage, round: readonly Rehearsed[]): Promise<Outcome[]> {
  const { mongo } = stage;
  const held: HeldRun[] = [];
  for (const [fault, type] of Object.entries(KILLS)) {
    // Some publish posts to prepare, which no fault may meet.
    const prepared = await Promise.all(round.map((one) => prepare(one, one.calls.length)));
    held.push(...(await Promise.all(prepared.map((one) => holdEach(stage, one, fault, { type })))).flat());
  }
  const atCalls = await Promise.all(held.map(async (one) => ({ ...one, place: await one.run.where() })));

  // No response from now on is stored.
  const responding = held.filter(({ fault }) => fault === 'killed before the write of the response');
  void mongo.blockAt('requests', '');
  await Promise.all(responding.map(({ hold }) => hold.remove()));
  await stage.untilSilent();
  await killAndStart(stage);
  return verdicts(stage, atCalls);
}

/**
 * Runs the scenes of a round, with the publisher killed when it has written the result of a last call, but not committed the transaction. MongoDB keeps the rows
 * locked for a while.
 */
export async function killedInTransaction(stage: Stage, round: readonly Rehearsed[]): Promise<Outcome[]> {
  const lasts = round.map((one) => ({ ...one, calls: one.calls.slice(-1).map((call) => ({ ...call, nth: 1 })) }));
  const prepared = await Promise.all(lasts.map((one) => prepare(one, 1)));
  const held = (await Promise.all(prepared.map((one) => holdEach(stage, one, IN_TRANSACTION, { type: 'hold_after' })))).flat();
  const atCalls = await Promise.all(held.map(async (one) => ({ ...one, place: await one.run.where() })));
  const reached = stage.mongo.blockAt('requests', 'commitTransaction');
  await Promise.all(held.map(({ hold }) => hold.remove()));
  await reached;
  await killAndStart(stage);
  return verdicts(stage, atCalls);
}

async function killAndStart(stage: Stage): Promise<void> {
  const { mongo, platform } = stage;
  await platform.kill('publisher');
  mongo.release();
  // A platform that has not carried out a call when its caller has disconnected never does.
  await eventually(async () => (await platform.sandbox.faults()).every(({ holding }) => !holding));
  await platform.sandbox.clearFaults();
  await stage.letDeadlinesPass();
  await stage.startPublisher('holding');
}

/** Runs the scenes of a round, and loses each of their calls once. */
export async function lost(stage: Stage, round: readonly Rehearsed[], faults: readonly string[] = Object.keys(LOSSES)): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const fault of faults) {
    const prepared = await Promise.all(round.map((one) => prepare(one, firstOf(one).length)));
    const begun = await Promise.all(prepared.map((one) => loseEach(stage, one, fault)));
    outcomes.push(...(await verdicts(stage, begun.flat())));
    await stage.platform.sandbox.clearFaults();
  }
  return outcomes;
}

interface Prepared extends Rehearsed {
  readonly runs: readonly Run[];
}

const prepare = async (one: Rehearsed, count: number): Promise<Prepared> => ({
  ...one,
  runs: await Promise.all(Array.from({ length: count }, () => one.scene.prepare())),
});

const firstOf = ({ calls }: Rehearsed): Call[] => calls.filter(({ nth }) => nth === 1);

interface Interrupted {
  readonly scene: Scene;
  readonly fault: string;
  readonly run: Run;
}

interface HeldRun extends Interrupted {
  readonly hold: HeldFault;
}

/**
 * Begins a run for each call of a scene, and holds one of them at each. All begin together, for the first call of each operation: a run that is held
 * makes no further call, so that each fault holds another run. For later calls of an operation, one run after the other.
 */
async function holdEach({ platform: { sandbox } }: Stage, prepared: Prepared, fault: string, how: Fault): Promise<HeldRun[]> {
  const { scene, calls } = prepared;
  const first = firstOf(prepared);
  const runs = [...prepared.runs];
  const holds = await Promise.all(first.map(({ operation }) => sandbox.fault(operation, how)));
  const begun = runs.splice(0, first.length);
  await Promise.all(begun.map((run) => run.begin()));
  const held = await untilHeld({ scene, fault }, begun, holds);
  for (const { operation, nth } of calls.filter((call) => call.nth > 1)) {
    const [hold, run] = [await sandbox.fault(operation, how, 1, nth - 1), runs.pop()!];
    await run.begin();
    held.push(...(await untilHeld({ scene, fault }, [run], [hold])));
  }
  return held;

  /** Each run is held, or has ended: not every run makes a call that reads whether something is ready, or that is only made from time to time. */
  async function untilHeld(
    what: Pick<Interrupted, 'scene' | 'fault'>,
    begun: readonly Run[],
    holds: readonly HeldFault[],
  ): Promise<HeldRun[]> {
    return eventually(async () => {
      const holding = new Set((await sandbox.faults()).flatMap(({ id, holding: isHolding }) => (isHolding ? [id] : [])));
      const met = holds.filter(({ id }) => holding.has(id));
      const ended = met.length < holds.length ? await Promise.all(begun.map((run) => run.hasEnded())) : [];
      const left = begun.filter((_, index) => !ended[index]);
      if (left.length > met.length)
        throw new Error(`${scene.name}, ${fault}: ${left.length} runs have not ended, and ${met.length} are held.`);
      for (const hold of holds) if (!met.includes(hold)) await hold.remove();
      return left.map((run, index) => ({ ...what, run, hold: met[index]! }));
    }, PATIENCE_MS);
  }
}

/** Begins a run for each call of a scene, and loses each call once: those that make it public certainly, and others if they are made. */
async function loseEach({ platform: { sandbox } }: Stage, prepared: Prepared, fault: string): Promise<Interrupted[]> {
  const { scene, runs } = prepared;
  const [first, how] = [firstOf(prepared), LOSSES[fault]!];
  const losses = await Promise.all(first.map(({ operation }) => sandbox.fault(operation, how)));
  await Promise.all(runs.map((run) => run.begin()));
  await eventually(async () => {
    const fired = new Set((await sandbox.faults()).flatMap(({ id, fired: times }) => (times > 0 ? [id] : [])));
    if (losses.every(({ id }) => fired.has(id))) return true;
    const areOver = (await Promise.all(runs.map((run) => run.hasEnded()))).every(Boolean);
    const missed = first.filter(({ isCommit }, index) => isCommit && !fired.has(losses[index]!.id));
    if (areOver && missed.length > 0) throw new Error(`${scene.name} did not call ${missed.map(({ operation }) => operation).join()}.`);
    return areOver;
  }, PATIENCE_MS);
  return runs.map((run) => ({ scene, fault, run }));
}

async function verdicts(stage: Stage, interrupted: readonly (Interrupted & { place?: Place | undefined })[]): Promise<Outcome[]> {
  await untilEnded(interrupted.map(({ run }) => run));
  const outcomes = await Promise.all(
    interrupted.map(async ({ scene, fault, run, place: known }) => {
      const place = known ?? (await run.whereItFailed());
      return { scene: scene.name, fault, place, postId: run.postId, ...(await run.check(place)) };
    }),
  );
  for (const { scene, fault, place, postId, wrong } of outcomes)
    for (const what of wrong) progress(`WRONG: ${scene}, ${fault}, ${place?.step}, post ${postId}: ${what}`);
  return outcomes;
}

async function untilEnded(runs: readonly Run[]): Promise<void> {
  const left = new Set(runs);
  await eventually(async () => {
    for (const run of left) {
      if (!(await run.hasEnded())) return false;
      left.delete(run);
    }
    return true;
  }, PATIENCE_MS);
}

/** Does something for each scene: for those that share a platform one after the other, for others at the same time. */
export async function inLanes<S extends { readonly platforms: readonly string[] }, T>(
  scenes: readonly S[],
  work: (scene: S) => Promise<T>,
): Promise<T[]> {
  const lanes = Map.groupBy(scenes, ({ platforms }) => platforms[0]);
  const done = await Promise.all(
    [...lanes.values()].map(async (lane) => {
      const results: T[] = [];
      for (const scene of lane) results.push(await work(scene));
      return results;
    }),
  );
  return done.flat();
}
