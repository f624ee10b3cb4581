import type { Config } from '../../config.ts';
import { plainPage } from '../../http/html/page.ts';
import type { StoredResponse } from '../../http/idempotency/outcome.ts';
import { metaPlatforms } from '../platforms/platform-lists.ts';

/** For the person who requested the deletion. Does not reveal which businesses the accounts were connected to. */
export const deletionPage = (config: Config, deletion: { confirmation_code: string; requested_at: string }): StoredResponse =>
  plainPage(
    config,
    200,
    'Your data was deleted',
    `You requested this on ${day(deletion.requested_at)}. We have erased what we had from ${metaPlatforms()} about you and your accounts (access tokens, names, profile images). Posts remain on the platforms until they are deleted there, and businesses keep the record of what they published.`,
    `Your confirmation code is ${deletion.confirmation_code}.`,
  );

export const deletionMissingPage = (config: Config): StoredResponse =>
  plainPage(config, 404, 'Not found', 'There is no deletion request with this code. Please check the address.');

const day = (iso: string) => `${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`;
