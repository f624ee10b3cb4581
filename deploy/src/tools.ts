import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Programs that the checks of deploy/ need: those on the PATH, or else installed once into this folder. */
export const CACHE = path.join(os.homedir(), '.cache/fanfare/deploy');

const HELM = 'v4.3.1';
/** Newer than the oldest version that the chart supports, so that what Kubernetes has removed since shows. */
const KUBERNETES = '1.36.3';
const COREDNS = 'github.com/coredns/coredns@v1.12.4';
const KUBE_ROUTER = 'github.com/cloudnativelabs/kube-router/v2@v2.1.0';
const METRICS_SERVER = 'sigs.k8s.io/metrics-server@v0.9.0';
export const KEDA = 'github.com/kedacore/keda/v2@v2.21.0';
const SCHEMAS = 'kubernetes-validate==1.36.0';

mkdirSync(CACHE, { recursive: true });

export function helmProgram(): string {
  const file = path.join(CACHE, HELM, 'helm');
  const found = onPath('helm') ?? existing(file);
  if (found) return found;
  console.log(`Building helm ${HELM} by Go (takes minutes, once) …`);
  const env = { ...process.env, GOBIN: path.dirname(file), CGO_ENABLED: '0' };
  execFileSync('go', ['install', '-ldflags', '-s -w', `helm.sh/helm/v4/cmd/helm@${HELM}`], { env, stdio: 'inherit' });
  return file;
}

/** A program of one of Debian's packages, which is unpacked, not installed. */
export function debianProgram(name: 'promtool' | 'prometheus' | 'etcd', fromPackage: 'prometheus' | 'etcd-server'): string {
  return onPath(name) ?? path.join(debianPackage(fromPackage), 'usr/bin', name);
}

/** The folder of one of Debian's packages, which is unpacked, not installed. */
function debianPackage(name: string): string {
  const folder = path.join(CACHE, name);
  if (existsSync(folder)) return folder;
  execFileSync('apt-get', ['download', '-q', name], { cwd: CACHE, stdio: 'inherit' });
  const [deb = ''] = globSync(`${name}_*.deb`, { cwd: CACHE });
  execFileSync('dpkg', ['-x', deb, folder], { cwd: CACHE, stdio: 'inherit' });
  return folder;
}

/** Validates against the schemas of Kubernetes, which it contains. */
export function schemaValidator(): string {
  const file = path.join(CACHE, 'python/bin/kubernetes-validate');
  if (existsSync(file)) return file;
  execFileSync('python3', ['-m', 'venv', path.join(CACHE, 'python')], { stdio: 'inherit' });
  execFileSync(path.join(CACHE, 'python/bin/pip'), ['install', '--quiet', SCHEMAS], { stdio: 'inherit' });
  return file;
}

type KubernetesProgram = 'kube-apiserver' | 'kubectl' | 'kubelet' | 'kube-controller-manager' | 'kube-scheduler' | 'kube-proxy';

/** A program of Kubernetes, which Go builds from the published modules: the API server takes about five minutes of two cores, and each further one two or three. */
function kubernetesProgram(name: KubernetesProgram): string {
  const folder = path.join(CACHE, `kubernetes-${KUBERNETES}`);
  const file = path.join(folder, name);
  if (existsSync(file)) return file;
  console.log(`Building ${name} ${KUBERNETES} by Go (takes minutes, once) …`);
  const work = path.join(folder, 'source', name);
  dependOnKubernetes(work, name);
  const flags = `-s -w -X k8s.io/component-base/version.gitVersion=v${KUBERNETES}`;
  const env = { ...process.env, CGO_ENABLED: '0' };
  execFileSync('go', ['build', '-ldflags', flags, '-o', file, `k8s.io/kubernetes/cmd/${name}`], { cwd: work, env, stdio: 'inherit' });
  return file;
}

/** A program of a published Go module. It is built in the module's own folder: `go install` rejects modules that replace others. */
function goProgram(name: string, module: string, command: string): string {
  const file = path.join(CACHE, name, name);
  if (existsSync(file)) return file;
  console.log(`Building ${name} by Go (takes minutes, once) …`);
  const env = { ...process.env, CGO_ENABLED: '0' };
  execFileSync('go', ['build', '-ldflags', '-s -w', '-o', file, command], { cwd: goModule(module), env, stdio: 'inherit' });
  return file;
}

/** What an API server needs. */
export function apiServerPrograms() {
  return {
    etcd: debianProgram('etcd', 'etcd-server'),
    server: kubernetesProgram('kube-apiserver'),
    kubectl: kubernetesProgram('kubectl'),
  };
}

/**
 * The folder of mongodump and mongorestore, which no package has that could be installed here.
 * @throws Error that says where they are expected
 */
export function mongoTools(): string {
  const folder = path.join(CACHE, 'mongo-tools');
  const found = [path.dirname(onPath('mongorestore') ?? ''), folder].find((one) =>
    ['mongodump', 'mongorestore'].every((name) => existsSync(path.join(one, name))),
  );
  if (found === undefined)
    throw new Error(`mongodump and mongorestore are missing: install the MongoDB Database Tools, or put both into ${folder}.`);
  return found;
}

/** Kubernetes' controllers: of Deployments, and autoscalers. */
export const controllerManager = () => kubernetesProgram('kube-controller-manager');

/** What a node needs. Everything is fetched and built here: the namespaces of the node have no way out. */
export function clusterPrograms() {
  const containerd = onPath('containerd');
  return {
    apiServer: apiServerPrograms(),
    coredns: goProgram('coredns', COREDNS, '.'),
    kubeRouter: goProgram('kube-router', KUBE_ROUTER, './cmd/kube-router'),
    metricsServer: goProgram('metrics-server', METRICS_SERVER, './cmd/metrics-server'),
    keda: {
      operator: goProgram('keda-operator', KEDA, './cmd/operator'),
      adapter: goProgram('keda-adapter', KEDA, './cmd/adapter'),
      module: goModule(KEDA),
    },
    kubelet: kubernetesProgram('kubelet'),
    controllerManager: controllerManager(),
    scheduler: kubernetesProgram('kube-scheduler'),
    proxy: kubernetesProgram('kube-proxy'),
    /** Where containerd with its shim and ctr are, runc, ipset, and kubectl. */
    path: [
      path.dirname(kubernetesProgram('kubectl')),
      path.dirname(onPath('ipset') ?? path.join(debianPackage('ipset'), 'usr/sbin/ipset')),
      containerd ? path.dirname(containerd) : path.join(debianPackage('containerd'), 'usr/bin'),
      path.dirname(onPath('runc') ?? path.join(debianPackage('runc'), 'usr/sbin/runc')),
    ],
    /** Where the library of ipset is. */
    libraries: onPath('ipset') ? '' : (globSync(path.join(debianPackage('libipset13'), 'usr/lib/*-linux-gnu'))[0] ?? ''),
    cni: path.join(debianPackage('containernetworking-plugins'), 'usr/lib/cni'),
  };
}

/** A folder of a Go module, downloaded. */
export function goModule(module: string): string {
  const work = path.join(CACHE, 'definitions');
  mkdirSync(work, { recursive: true });
  writeFileSync(path.join(work, 'go.mod'), 'module definitions\n');
  return downloaded(work, module);
}

/** Makes a module that depends on a program of Kubernetes. Kubernetes' own go.mod takes parts of it from folders that are published as modules of version 0.x, so we name those. */
function dependOnKubernetes(work: string, program: string): void {
  mkdirSync(work, { recursive: true });
  writeFileSync(path.join(work, 'go.mod'), 'module program\ngo 1.26.0\ngodebug default=go1.26\n');
  writeFileSync(path.join(work, 'imports.go'), `//go:build tools\n\npackage program\n\nimport _ "k8s.io/kubernetes/cmd/${program}"\n`);
  const source = downloaded(work, `k8s.io/kubernetes@v${KUBERNETES}`);
  const parts = readFileSync(path.join(source, 'go.mod'), 'utf8').matchAll(/^\s*(\S+) => \.\/staging\//gm);
  const replaced = [...parts].map(([, part]) => `-replace=${part}=${part}@v0.${KUBERNETES.slice(2)}`);
  const go = (...args: string[]) => execFileSync('go', args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  go('mod', 'edit', `-require=k8s.io/kubernetes@v${KUBERNETES}`, ...replaced);
  go('mod', 'tidy', '-e');
}

function downloaded(cwd: string, module: string): string {
  const { Dir } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { cwd, encoding: 'utf8' })) as { Dir: string };
  return Dir;
}

function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

const existing = (file: string) => (existsSync(file) ? file : undefined);
