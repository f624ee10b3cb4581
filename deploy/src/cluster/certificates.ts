import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { renderOf } from '../chart.ts';

/** Secrets like those that cert-manager makes of the chart's Certificates, by a CA of this run alone. @returns YAML */
export function certificateSecrets(runDir: string): string {
  const folder = path.join(runDir, 'tls');
  mkdirSync(folder);
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=Fanfare services');
  const ca = readFileSync(path.join(folder, 'ca.crt'), 'utf8');
  const certificates = renderOf('dev').filter(({ kind, spec }) => kind === 'Certificate' && !(spec as { isCA?: boolean }).isCA);
  return certificates
    .map(({ spec }) => spec as { secretName: string; dnsNames: string[] })
    .map(({ secretName, dnsNames }) => {
      const names = `subjectAltName=${dnsNames.map((name) => `DNS:${name}`).join(',')}`;
      openssl('req', '-new', ...key, '-keyout', 'one.key', '-out', 'one.csr', '-subj', `/CN=${secretName}`, '-addext', names);
      const signed = openssl(
        'x509',
        '-req',
        '-in',
        'one.csr',
        '-CA',
        'ca.crt',
        '-CAkey',
        'ca.key',
        '-CAcreateserial',
        '-copy_extensions',
        'copy',
        '-days',
        '2',
      );
      const privateKey = readFileSync(path.join(folder, 'one.key'), 'utf8');
      const stringData = { 'tls.crt': signed, 'tls.key': privateKey, 'ca.crt': ca };
      return stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: secretName }, stringData });
    })
    .join('---\n');
}
