// `npm run cluster`: a real Kubernetes of one node on this machine. It runs in namespaces of Linux of its own (network, mounts, processes): when it ends, in any way, the kernel
// removes its processes, mounts, bridge and iptables rules.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { claimRunDir } from '@fanfare/infra';
import type { Images } from './cluster/install.ts';
import { CACHE, clusterPrograms, helmProgram, mongoTools } from './tools.ts';

const { values: options } = parseArgs({
  options: {
    images: { type: 'string' },
    tag: { type: 'string' },
    'next-tag': { type: 'string' },
    mongodb: { type: 'string', default: 'fanfare/test-mongo:6.0' },
    kafka: { type: 'string', default: 'fanfare/test-kafka:4.1' },
    'kafka-user': { type: 'string', default: '999' },
    keep: { type: 'boolean' },
  },
});
if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  console.error('npm run cluster needs Linux and root: it makes namespaces, mounts and a bridge.');
  process.exit(1);
}

export interface Wanted {
  readonly runDir: string;
  readonly helm: string;
  readonly programs: ReturnType<typeof clusterPrograms>;
  /** Undefined: only the node. */
  readonly images: ({ readonly archive: string } & Images) | undefined;
  /** Until it is interrupted. */
  readonly keep: boolean;
}

const { images: archive, tag = '', 'next-tag': nextTag, mongodb, kafka, keep = false } = options;
const programs = clusterPrograms();
// Needed with images only: for a backup.
if (archive !== undefined) programs.path.push(mongoTools());
// Claimed out here, where processes have ids that the next run can check.
const { runDir, release } = await claimRunDir(path.join(CACHE, 'cluster'), false, console.log);
try {
  const images =
    archive === undefined
      ? undefined
      : { archive: path.resolve(archive), tag, nextTag, mongodb, kafka, kafkaUser: Number(options['kafka-user']) };
  const wanted: Wanted = { runDir, helm: helmProgram(), programs, images, keep };
  const own = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL', '--'];
  const command = [...own, process.execPath, path.join(import.meta.dirname, 'cluster-inside.ts'), JSON.stringify(wanted)];
  const child = spawn('unshare', command, { stdio: 'inherit' });
  // The first process in the namespaces: `unshare` ends after it, when the kernel has ended all others.
  const first = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.kill(first(), 'SIGKILL'));
  await once(child, 'spawn');
  if (keep)
    console.log(`To look into it: nsenter --target $(pgrep -P ${child.pid}) --net --mount --pid, and KUBECONFIG=${runDir}/kubeconfig`);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  // Control groups belong to no namespace: those of pods are left, empty.
  const groups = globSync(['/sys/fs/cgroup/*/kubepods{,/**}', '/sys/fs/cgroup/kubepods{,/**}'], { withFileTypes: true });
  const folders = groups.filter((entry) => entry.isDirectory()).map((entry) => path.join(entry.parentPath, entry.name));
  try {
    for (const folder of folders.sort().reverse()) rmdirSync(folder);
  } finally {
    await release();
  }
}
