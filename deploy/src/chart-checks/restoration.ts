import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { startServer } from '@fanfare/infra';
import type { ApiServer } from '../api-server.ts';
import { HELM, renderOf } from '../chart.ts';
import { report } from '../report.ts';
import { controllerManager, apiServerPrograms } from '../tools.ts';

const NAMESPACE = 'restoration';
const SCRIPT = path.join(HELM, '../backup/restore-kubernetes.sh');
const SERVICES = [
  'analytics',
  'analytics-snapshots',
  'content',
  'gateway',
  'generation',
  'generation-jobs',
  'library',
  'publisher',
  'webhooks',
];
const BETWEEN_LOOKS_MS = 300;
const KEPT = ['--since', '2030-01-31T09:00:00Z', '--until', '2030-01-31T09:30:00Z'];

interface Found {
  readonly metadata: { readonly name: string; readonly labels: Record<string, string>; readonly annotations?: Record<string, string> };
  readonly spec: {
    readonly replicas: number;
    readonly containers: { readonly args: string[] }[];
    readonly template: { readonly spec: { readonly containers: { readonly env?: { readonly name: string }[] }[] } };
  };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly { readonly type: string }[] };
}

/** What the cluster is like when the script does something that matters. */
interface Moment {
  readonly args: readonly string[];
  readonly pausesOnStart: boolean;
  readonly gateway: number;
}

/**
 * Runs restore-kubernetes.sh against a real API server with Kubernetes' own controllers. What the server lacks is simulated: nodes that run pods, and KEDA, which starts a publisher
 * whenever nobody has paused it.
 */
export async function checkRestoration({ kubectl, kubeconfig }: ApiServer, runDir: string): Promise<void> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'fanfare-restoration-'));
  const k = (args: readonly string[], input?: string) => kubectl(['--namespace', NAMESPACE, ...args], input);
  const list = (kind: string) => (JSON.parse(k(['get', kind, '--output', 'json'])) as { items: Found[] }).items;
  const asAdmin = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map((name) => `--${name}=${kubeconfig}`);
  const controllers = await startServer({
    ...{ name: 'kube-controller-manager', program: controllerManager(), runDir, keepData: false, ready: () => Promise.resolve() },
    args: [
      ...asAdmin,
      '--leader-elect=false',
      '--secure-port=0',
      `--service-account-private-key-file=${path.join(runDir, 'service-accounts.key')}`,
    ],
  });
  const nodes = simulate(k, list);
  try {
    kubectl(['create', 'namespace', NAMESPACE]);
    kubectl(['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted']);
    k(['apply', '--filename', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: installed() }));
    await nodes.until(() => SERVICES.every((name) => readyOf(list('pods'), name) > 0));
    // Autoscalers have reached their least numbers.
    await nodes.until(() => replicas(list)['gateway']! > 1);
    const before = replicas(list);
    const run = () => runScript(scratch, kubeconfig);
    const first = await run();
    const second = await run();
    const after = replicas(list);
    const paused = list('scaledobjects').filter(({ metadata }) => metadata.annotations?.['autoscaling.keda.sh/paused'] !== undefined);
    const left = [...list('configmaps'), ...list('pods')].filter(({ metadata }) => metadata.name.startsWith('fanfare-restore'));
    const expected: Moment[] = [
      { args: [...KEPT, '--keep'], pausesOnStart: true, gateway: 0 },
      // The first one has failed.
      { args: [...KEPT, '--keep'], pausesOnStart: true, gateway: 0 },
      { args: KEPT, pausesOnStart: false, gateway: 0 },
    ];
    const facts: [string, unknown, unknown][] = [
      ['the first run, in which mongorestore fails', first.code, 1],
      ['the second run', second.code, 0],
      ['pods while the databases are restored', readFileSync(path.join(scratch, 'pods'), 'utf8').trim(), ''],
      ['restore-fence', nodes.moments, expected],
      ['replicas afterwards', after, before],
      ['KEDA is paused afterwards', paused.length, 0],
      ['left behind', left.map(({ metadata }) => metadata.name), []],
    ];
    const wrong = facts.filter(([, is, wanted]) => !isDeepStrictEqual(is, wanted));
    report('restore-kubernetes.sh on an API server', [
      ...wrong.map(([what, is, wanted]) => `${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`),
      ...(wrong.length > 0 ? [first.out, second.out] : []),
    ]);
  } finally {
    await nodes.stop();
    await controllers.stop();
    rmSync(scratch, { recursive: true });
  }
}

/** Without what other controllers would make of it. */
const installed = () =>
  renderOf('large').filter(({ kind }) => /^(Deployment|ServiceAccount|ConfigMap|HorizontalPodAutoscaler|ScaledObject)$/.test(kind));

const componentOf = ({ metadata }: Found) => metadata.labels['app.kubernetes.io/component'] ?? '';
const readyOf = (pods: readonly Found[], name: string) =>
  pods.filter((pod) => componentOf(pod) === name && pod.status?.phase === 'Running').length;
const replicas = (list: (kind: string) => Found[]): Record<string, number> =>
  Object.fromEntries(list('deployments').map((one) => [componentOf(one), one.spec.replicas]));

function simulate(k: (args: readonly string[], input?: string) => string, list: (kind: string) => Found[]) {
  const moments: Moment[] = [];
  let isOver = false;
  const setStatus = (what: string, status: object) =>
    k(['patch', what, '--subresource=status', '--type=merge', '--patch', JSON.stringify({ status })]);
  const look = () => {
    for (const pod of list('pods').filter(({ status }) => status?.phase === 'Pending')) {
      const what = `pod/${pod.metadata.name}`;
      if (pod.metadata.name !== 'fanfare-restore-fence') {
        setStatus(what, { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });
        continue;
      }
      const publisher = list('deployments').find((one) => componentOf(one) === 'publisher');
      const env = publisher?.spec.template.spec.containers[0]?.env ?? [];
      const pausesOnStart = env.some(({ name }) => name === 'PAUSE_ON_START');
      moments.push({ args: pod.spec.containers[0]!.args.slice(1), pausesOnStart, gateway: replicas(list)['gateway'] ?? -1 });
      setStatus(what, { phase: moments.length === 1 ? 'Failed' : 'Succeeded' });
    }
    for (const { metadata, status } of list('scaledobjects')) {
      const isPaused = metadata.annotations?.['autoscaling.keda.sh/paused'] === 'true';
      const what = `scaledobject/${metadata.name}`;
      if (isPaused && !status?.conditions?.length) setStatus(what, { conditions: [{ type: 'Paused', status: 'True' }] });
      if (!isPaused && replicas(list)[metadata.labels['app.kubernetes.io/component'] ?? ''] === 0)
        k(['scale', `deployment/${metadata.name}`, '--replicas=1']);
    }
  };
  const loop = async () => {
    for (; !isOver; await wait(BETWEEN_LOOKS_MS))
      try {
        look();
      } catch {
        // It was deleted meanwhile.
      }
  };
  const looking = loop();
  return {
    moments,
    async until(is: () => boolean): Promise<void> {
      while (!is()) await wait(BETWEEN_LOOKS_MS);
    },
    async stop() {
      isOver = true;
      await looking;
    },
  };
}

/** With a mongorestore that writes down which pods there are, and fails the first time. */
function runScript(scratch: string, kubeconfig: string): Promise<{ readonly code: number | null; readonly out: string }> {
  const bin = path.join(scratch, 'bin');
  const archive = path.join(scratch, 'fanfare-2030-01-31T09-00-00Z.archive.gz');
  mkdirSync(bin, { recursive: true });
  writeFileSync(archive, gzipSync(Buffer.from('6de29981', 'hex')));
  const restored = path.join(scratch, 'pods');
  const pods = `kubectl --namespace ${NAMESPACE} get pods --selector app.kubernetes.io/component!=sandbox --output name`;
  writeFileSync(
    path.join(bin, 'mongorestore'),
    `#!/usr/bin/env bash\nhad=no; [[ ! -e '${restored}' ]] || had=yes\n${pods} >>'${restored}'\n[[ $had == yes ]]\n`,
  );
  chmodSync(path.join(bin, 'mongorestore'), 0o755);
  rmSync(path.join(bin, 'kubectl'), { force: true });
  symlinkSync(apiServerPrograms().kubectl, path.join(bin, 'kubectl'));
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env['PATH']}`,
    KUBECONFIG: kubeconfig,
    KUBECACHEDIR: scratch,
    MONGODB_URL: 'mongodb://db',
  };
  const child = spawn(SCRIPT, ['--namespace', NAMESPACE, '--release', 'fanfare', '--until', KEPT[3]!, archive], { env });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out })));
}
