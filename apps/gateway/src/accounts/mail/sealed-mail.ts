import type { Keyring } from '@fanfare/runtime';
import type { WrittenMail } from './render-mail.ts';

/** A mail as it goes out. Its links are credentials, and its recipient is nobody's business: it is stored sealed. */
export interface OutgoingMail extends WrittenMail {
  readonly to: string;
}

export const sealMail = (keyring: Keyring, id: string, mail: OutgoingMail): string => keyring.seal(JSON.stringify(mail), `mail:${id}`);

/** @throws Error when the key is unknown or the text is not of this mail */
export const openMail = (keyring: Keyring, id: string, sealed: string): OutgoingMail =>
  JSON.parse(keyring.open(sealed, `mail:${id}`)) as OutgoingMail;
