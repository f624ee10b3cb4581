import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '@fanfare/runtime';

/** Proves that a text was created here, so that it does not have to be stored. */
interface MessageCodes {
  /** Contains only characters that need no escaping in a URL, and a dot. */
  codeOf(text: string): string;
  isCodeOf(code: string, text: string): boolean;
}

/** HMAC-SHA-256. The current key of the keyring creates codes, and all of its keys verify them. */
export function createMessageCodes(keyring: Keyring, purpose: string): MessageCodes {
  const keys = keyring.derive(purpose);
  const mac = (bytes: Buffer, text: string) => createHmac('sha256', bytes).update(text).digest();
  return {
    codeOf: (text) => `${keys[0].id}.${mac(keys[0].bytes, text).toString('base64url')}`,
    isCodeOf(code, text) {
      const [id, given = ''] = code.split('.');
      const key = keys.find((one) => one.id === id);
      const bytes = Buffer.from(given, 'base64url');
      return key !== undefined && bytes.length === 32 && timingSafeEqual(bytes, mac(key.bytes, text));
    },
  };
}
