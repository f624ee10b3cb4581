import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto';
import type { Keyring } from '@fanfare/runtime';
import { CompactSign } from 'jose';

/** A public key with which anyone can verify that an archive is of this installation, and unchanged (JWK, RFC 8037). */
export interface SigningKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

export interface ArchiveSignatures {
  /** The current key first. An archive can be verified as long as its key is in the ring. */
  readonly publicKeys: readonly SigningKey[];
  /** A compact JSON Web Signature (RFC 7515) with this text as its payload. */
  sign(text: string): Promise<string>;
}

/** What is before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410, 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const ALGORITHM = 'EdDSA';
/** So that no other signature of ours passes for one of an export. */
const SIGNATURE_TYPE = 'fanfare-export+jws';

export function createArchiveSignatures(keyring: Keyring): ArchiveSignatures {
  const keys = keyring.derive('export signatures').map(({ id, bytes }) => ({
    id,
    key: createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, bytes]), format: 'der', type: 'pkcs8' }),
  }));
  const [current] = keys;
  if (!current) throw new Error('A keyring must have at least one key.');
  return {
    publicKeys: keys.map(({ id, key }) => {
      const { x = '' }: JsonWebKey = createPublicKey(key).export({ format: 'jwk' });
      return { kty: 'OKP', crv: 'Ed25519', x, kid: id, alg: ALGORITHM, use: 'sig' };
    }),
    sign: (text) =>
      new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: ALGORITHM, typ: SIGNATURE_TYPE, kid: current.id }).sign(current.key),
  };
}
