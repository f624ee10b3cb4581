import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Command prefixes that limit the processes which decode untrusted files. */
export interface Launchers {
  /** For the worker, which decodes images and starts the decoders: no network, limits on memory and open files, no core dumps. */
  readonly worker: readonly string[];
  /** For ffmpeg and ffprobe: limits on memory, CPU time and open files. */
  readonly decoder: readonly string[];
  /** The limits in effect, for the log. */
  readonly limits: Readonly<Record<string, number | boolean>>;
  /** The protections that this machine does not have or does not permit. */
  readonly missing: readonly string[];
}

const MEMORY_BYTES = 4 * 1024 * 1024 * 1024;
/** More than any video that platforms accept needs. */
const CPU_SECONDS = 2 * 3600;
const DECODER_FILES = 64;
const WORKER_FILES = 512;

/** Limits the data segment, not the address space, of which V8 reserves far more than it uses. No CPU limit: the jobs of a worker have timeouts. */
const WORKER_LIMITS = ['prlimit', '--core=0', `--data=${MEMORY_BYTES}`, `--nofile=${WORKER_FILES}`];
const DECODER_LIMITS = ['prlimit', `--as=${MEMORY_BYTES}`, `--cpu=${CPU_SECONDS}:${CPU_SECONDS + 60}`, `--nofile=${DECODER_FILES}`];
const ISOLATIONS = [
  ['unshare', '--net'],
  ['unshare', '--map-root-user', '--net'],
];

/** Finds out which limits this machine permits: by prlimit, and by unshare, which needs root or user namespaces (both from util-linux). */
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
