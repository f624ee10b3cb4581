import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { generate } from 'selfsigned';

export interface PeerCertificates {
  /** Writes a process's certificate, key and CA as files; overwrites earlier files of the same name. */
  issue(name: string, options?: { ca?: 'ours' | 'another' }): Promise<{ certFile: string; keyFile: string; caFile: string }>;
  remove(): void;
}

/** A CA for our processes, and another one; their certificates are also valid for 127.0.0.1. */
export async function peerCertificates(): Promise<PeerCertificates> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'fanfare-certificates-'));
  const authorities = { ours: await anAuthority('ours'), another: await anAuthority('another') };
  return {
    async issue(name, { ca = 'ours' } = {}) {
      const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
        keyType: 'ec',
        algorithm: 'sha256',
        ca: authorities[ca],
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
          {
            name: 'subjectAltName',
            altNames: [
              { type: 2, value: name },
              { type: 2, value: 'localhost' },
              { type: 7, ip: '127.0.0.1' },
            ],
          },
        ],
      });
      const written = (kind: string, text: string) => {
        const file = path.join(directory, `${name}.${kind}.pem`);
        writeFileSync(file, text, { mode: 0o600 });
        return file;
      };
      return { certFile: written('cert', cert), keyFile: written('key', key), caFile: written('ca', authorities[ca].cert) };
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}

async function anAuthority(name: string): Promise<{ key: string; cert: string }> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: `CA ${name}` }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key, cert };
}
