import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { NODE_IP } from './node.ts';
import { NEW_KEY, opensslIn, TWO_DAYS } from './openssl.ts';

/** Arguments of the API server, so that it may pass calls on to servers that extend it, such as metrics-server. They recognize it by a certificate. */
export function aggregatorArgs(runDir: string): string[] {
  const at = (name: string) => path.join(runDir, `aggregator-${name}`);
  const openssl = opensslIn(runDir);
  const key = [...NEW_KEY, ...TWO_DAYS];
  openssl('req', '-x509', ...key, '-keyout', at('ca.key'), '-out', at('ca.crt'), '-subj', '/CN=aggregator CA');
  const signed = ['-CA', at('ca.crt'), '-CAkey', at('ca.key'), '-keyout', at('client.key'), '-out', at('client.crt')];
  writeFileSync(at('client.cnf'), '[req]\ndistinguished_name=name\n[name]\n[client]\nextendedKeyUsage=clientAuth\n');
  openssl('req', '-x509', ...key, ...signed, '-config', at('client.cnf'), '-extensions', 'client', '-subj', '/CN=aggregator');
  return [
    ...[`--proxy-client-cert-file=${at('client.crt')}`, `--proxy-client-key-file=${at('client.key')}`],
    ...[`--requestheader-client-ca-file=${at('ca.crt')}`, '--requestheader-allowed-names=aggregator'],
    ...['--requestheader-username-headers=X-Remote-User', '--requestheader-group-headers=X-Remote-Group'],
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  ];
}

/** What tells the API server that a process of the node serves a part of its API. @returns YAML */
export function apiExtension(name: string, group: string, version: string, port: number): string {
  const metadata = { name, namespace: 'kube-system' };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 443, targetPort: port }] } },
    {
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' },
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': name } },
      ...{ ports: [{ port, name: '' }], endpoints: [{ addresses: [NODE_IP], conditions: { ready: true } }] },
    },
    {
      ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: `${version}.${group}` } },
      spec: {
        ...{ group, version, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true },
        service: metadata,
      },
    },
  ]
    .map((one) => stringify(one))
    .join('---\n');
}
