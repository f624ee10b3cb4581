import type { CountSecretsResponse, RotateSecretsResponse } from '@fanfare/contracts/publisher';
import { Reported } from './as-operator.ts';
import type { Operator } from '@fanfare/stack';

const PAGE_SIZE = 200;

/**
 * Re-encrypts every stored secret with the first key of the keyring, page by page, and returns which keys can be removed then.
 * @param onProgress called with a line of progress after each page
 * @throws Reported if some could not be decrypted; Error if replicas disagree about the first key
 */
export async function rotateSecrets(operator: Pick<Operator, 'publisher' | 'as'>, onProgress: (line: string) => void) {
  const total = { resealed: 0, current: 0, unreadable: [] as RotateSecretsResponse['unreadable'] };
  let keyId: string | undefined;
  for (let pageToken: string | undefined; pageToken !== '';) {
    const page: RotateSecretsResponse = await operator.publisher.rotateSecrets(
      { pageSize: PAGE_SIZE, pageToken: pageToken ?? '' },
      operator.as(),
    );
    keyId ??= page.keyId;
    if (page.keyId !== keyId) {
      throw new Error(
        `One replica of the publisher encrypts with "${keyId}", another with "${page.keyId}". Give all replicas the same KEYRING first.`,
      );
    }
    total.resealed += page.resealed;
    total.current += page.current;
    total.unreadable.push(...page.unreadable);
    pageToken = page.nextPageToken;
    onProgress(
      `${total.resealed} re-encrypted with "${keyId}", ${total.current} already encrypted with it, ${total.unreadable.length} cannot be decrypted`,
    );
  }
  const { keys } = await operator.publisher.countSecrets({}, operator.as());
  const report = { keyId, ...total, keys, ...conclusion(keyId ?? '', keys, total.unreadable.length) };
  if (total.unreadable.length > 0) throw new Reported(report, report.summary);
  return report;
}

function conclusion(keyId: string, keys: CountSecretsResponse['keys'], unreadable: number) {
  const others = keys.filter((key) => key.keyId !== keyId);
  const safeToDrop = others.filter(({ known, secrets }) => known && secrets === 0).map((key) => key.keyId);
  const used = others.filter(({ secrets }) => secrets > 0).map((key) => `"${key.keyId}" (${key.secrets})`);
  const parts = [
    unreadable > 0 &&
      `${unreadable} cannot be decrypted and were left unchanged: add the key that encrypted them to KEYRING, or reconnect these accounts.`,
    used.length > 0 && `Still in use: ${used.join(', ')}.`,
    safeToDrop.length > 0 &&
      `No document of the publisher uses ${safeToDrop.map((id) => `"${id}"`).join(', ')} any more: it is safe to remove from its KEYRING.`,
    used.length === 0 && safeToDrop.length === 0 && `Everything is encrypted with "${keyId}", the only key.`,
  ];
  return { safeToDrop, summary: parts.filter(Boolean).join(' ') };
}
