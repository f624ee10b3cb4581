import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What is put before a process, so that what a stranger's file does to it has an end. */
export interface Launchers {
  /** Before a process that decodes images, and starts the others: no network, memory, few files, no core. */
  readonly worker: readonly string[];
  /** Before ffmpeg and ffprobe: memory, processor time, files. */
  readonly decoder: readonly string[];
  /** The limits in force, for the log. */
  readonly limits: Readonly<Record<string, number | boolean>>;
  /** What this machine does not have or does not let us do. */
  readonly missing: readonly string[];
}

const MEMORY_BYTES = 4 * 1024 * 1024 * 1024;
/** Longer than any video that platforms take needs. */
const CPU_SECONDS = 2 * 3600;
const DECODER_FILES = 64;
const WORKER_FILES = 512;

/** V8 reserves far more addresses than it uses, so a process of Node is limited in what it can write to. Its jobs end by their timeouts. */
const WORKER_LIMITS = ['prlimit', '--core=0', `--data=${MEMORY_BYTES}`, `--nofile=${WORKER_FILES}`];
const DECODER_LIMITS = ['prlimit', `--as=${MEMORY_BYTES}`, `--cpu=${CPU_SECONDS}:${CPU_SECONDS + 60}`, `--nofile=${DECODER_FILES}`];
const ISOLATIONS = [
  ['unshare', '--net'],
  ['unshare', '--map-root-user', '--net'],
];

/** Finds out what this machine has and lets us do: util-linux's prlimit, and unshare, which needs root or user namespaces. */
export async function findLaunchers(env: Readonly<Record<string, string>>): Promise<Launchers> {
  const works = (command: readonly string[]) => runs([...command, 'true'], env);
  const [isWorkerLimited, isDecoderLimited, ...isolated] = await Promise.all([WORKER_LIMITS, DECODER_LIMITS, ...ISOLATIONS].map(works));
  const isolation = ISOLATIONS[isolated.indexOf(true)] ?? [];
  return {
    worker: [...(isWorkerLimited ? WORKER_LIMITS : []), ...isolation],
    decoder: isDecoderLimited ? DECODER_LIMITS : [],
    limits: {
      network: isolation.length === 0,
      ...(isDecoderLimited && { memory_mb: MEMORY_BYTES / 1024 / 1024, cpu_seconds: CPU_SECONDS, open_files: DECODER_FILES }),
    },
    missing: [
      ...(isolation.length === 0 ? ['network isolation (unshare, with root or user namespaces)'] : []),
      ...(isWorkerLimited && isDecoderLimited ? [] : ['limits on memory, CPU time and open files (prlimit)']),
    ],
  };
}

const runs = ([program = '', ...args]: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> =>
  promisify(execFile)(program, args, { timeout: 10_000, env }).then(
    () => true,
    () => false,
  );
