import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from './pids.ts';
import { claimRunDir, pidFileOf } from './run-dir.ts';

let dataDir: string;
let started: ChildProcess[];
let said: string[];
const say = (line: string) => void said.push(line);

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'fanfare-data-'));
  started = [];
  said = [];
});
afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

/** Stands in for a server: it runs until it is stopped, and has the argument on its command line. */
async function runProcess(argument: string, onSigterm = 'process.exit(0)'): Promise<number> {
  const script = `process.on('SIGTERM', () => { ${onSigterm} }); setInterval(() => {}, 1000); console.log('up')`;
  const child = spawn(process.execPath, ['-e', script, argument], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

async function leaveBehind(runDir: string, pid: number): Promise<void> {
  await mkdir(runDir, { recursive: true });
  await writeFile(path.join(runDir, 'owner.json'), JSON.stringify({ pid: process.pid, startTime: 'of a process before this one' }));
  await writeFile(pidFileOf(runDir, 'mongod'), String(pid));
}

test.each([true, false])('a server that a killed run left behind is stopped (data kept: %s)', async (keepData) => {
  const runDir = path.join(dataDir, 'infra', keepData ? 'kept' : 'run-1-abc');
  const pid = await runProcess(path.join(runDir, 'mongod'));
  await leaveBehind(runDir, pid);
  await writeFile(path.join(runDir, 'data'), '');

  const claim = await claimRunDir(dataDir, keepData, say);

  expect(isAlive(pid)).toBe(false);
  expect(said).toEqual([`stopped mongod (process ${pid}), left behind by an earlier run`]);
  const dataIsThere = await stat(path.join(runDir, 'data')).then(() => true, () => false); // prettier-ignore
  expect(dataIsThere).toBe(keepData);
  await claim.release();
});

test('an unrelated process that has the same id now is not touched', async () => {
  const pid = await runProcess('/somewhere/else');
  await leaveBehind(path.join(dataDir, 'infra/kept'), pid);
  await claimRunDir(dataDir, true, say);
  expect(isAlive(pid)).toBe(true);
  expect(said).toEqual([]);
});

test('data that is kept has one user at a time', async () => {
  const first = await claimRunDir(dataDir, true, say);
  await expect(claimRunDir(dataDir, true, say)).rejects.toThrow(`Another run (process ${process.pid}) uses the data in ${dataDir}`);
  await first.release();
  await (await claimRunDir(dataDir, true, say)).release();
});

test('runs that delete their data share a directory and leave nothing', async () => {
  const kept = await claimRunDir(dataDir, true, say);
  const one = await claimRunDir(dataDir, false, say);
  const other = await claimRunDir(dataDir, false, say);
  expect(new Set([kept.runDir, one.runDir, other.runDir]).size).toBe(3);
  await one.release();
  await other.release();
  expect(await readdir(path.join(dataDir, 'infra'))).toEqual(['kept']);
});
