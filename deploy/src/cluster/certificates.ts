import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { renderOf } from '../chart.ts';
import { NEW_KEY, opensslIn, TWO_DAYS } from './openssl.ts';

/** Secrets like those that cert-manager makes of the chart's Certificates, by a CA of this run alone. @returns YAML */
export function certificateSecrets(runDir: string): string {
  const folder = path.join(runDir, 'tls');
  mkdirSync(folder);
  const openssl = opensslIn(folder);
  openssl('req', '-x509', ...NEW_KEY, '-keyout', 'ca.key', '-out', 'ca.crt', ...TWO_DAYS, '-subj', '/CN=Fanfare services');
  const ca = readFileSync(path.join(folder, 'ca.crt'), 'utf8');
  const certificates = renderOf('dev').filter(({ kind, spec }) => kind === 'Certificate' && !(spec as { isCA?: boolean }).isCA);
  return certificates
    .map(({ spec }) => spec as { secretName: string; dnsNames: string[] })
    .map(({ secretName, dnsNames }) => {
      const names = `subjectAltName=${dnsNames.map((name) => `DNS:${name}`).join(',')}`;
      openssl('req', '-new', ...NEW_KEY, '-keyout', 'one.key', '-out', 'one.csr', '-subj', `/CN=${secretName}`, '-addext', names);
      const byCa = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy'];
      const signed = openssl('x509', '-req', '-in', 'one.csr', ...byCa, ...TWO_DAYS);
      const privateKey = readFileSync(path.join(folder, 'one.key'), 'utf8');
      const stringData = { 'tls.crt': signed, 'tls.key': privateKey, 'ca.crt': ca };
      return stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: secretName }, stringData });
    })
    .join('---\n');
}
