import type { Keyring } from '@fanfare/runtime';
import type { WrittenMail } from './render-mail.ts';

/** A rendered mail. Its links are credentials and its recipient is private, so it is stored encrypted. */
export interface OutgoingMail extends WrittenMail {
  readonly to: string;
}

export const sealMail = (keyring: Keyring, id: string, mail: OutgoingMail): string => keyring.seal(JSON.stringify(mail), `mail:${id}`);

/** @throws Error if the key is unknown, or the text belongs to another mail */
export const openMail = (keyring: Keyring, id: string, sealed: string): OutgoingMail =>
  JSON.parse(keyring.open(sealed, `mail:${id}`)) as OutgoingMail;
