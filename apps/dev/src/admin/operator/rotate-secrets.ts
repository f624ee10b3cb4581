import type { CountSecretsResponse, RotateSecretsResponse } from '@fanfare/contracts/publisher';
import type { Operator } from '@fanfare/stack';
import { Reported } from './as-operator.ts';

const PAGE_SIZE = 200;

/** The services that store secrets for long. */
const SERVICES = ['publisher', 'webhooks'] as const;

type Service = (typeof SERVICES)[number];
type Services = Pick<Operator, Service | 'as'>;
type Keys = CountSecretsResponse['keys'];

/** How many secrets each key of KEYRING encrypts, by service. */
export const countSecrets = async (operator: Services): Promise<Record<Service, Keys>> => {
  const [publisher, webhooks] = await Promise.all(
    SERVICES.map(async (name) => (await operator[name].countSecrets({}, operator.as())).keys),
  );
  return { publisher: publisher ?? [], webhooks: webhooks ?? [] };
};

/**
 * Re-encrypts every stored secret with the first key of the keyring, page by page, and returns which keys can be removed then.
 * @param onProgress called with a line of progress after each page
 * @throws Reported if some could not be decrypted; Error if replicas disagree about the first key
 */
export async function rotateSecrets(operator: Services, onProgress: (line: string) => void) {
  const total = { resealed: 0, current: 0, unreadable: [] as RotateSecretsResponse['unreadable'] };
  let keyId: string | undefined;
  for (const name of SERVICES) {
    for (let pageToken: string | undefined; pageToken !== '';) {
      const page: RotateSecretsResponse = await operator[name].rotateSecrets(
        { pageSize: PAGE_SIZE, pageToken: pageToken ?? '' },
        operator.as(),
      );
      keyId ??= page.keyId;
      if (page.keyId !== keyId) {
        throw new Error(
          `One process encrypts with "${keyId}", and one of the ${name} service with "${page.keyId}". Give all services the same KEYRING first.`,
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
  }
  const keys = inAll(await countSecrets(operator));
  const report = { keyId, ...total, keys, ...conclusion(keyId ?? '', keys, total.unreadable.length) };
  if (total.unreadable.length > 0) throw new Reported(report, report.summary);
  return report;
}

/** The use of each key in all services together; it is known only if all have it. */
function inAll(byService: Record<Service, Keys>): Keys {
  const ofKey = Map.groupBy(Object.values(byService).flat(), (key) => key.keyId);
  return [...ofKey].map(([keyId, uses]) => ({
    keyId,
    known: uses.length === SERVICES.length && uses.every(({ known }) => known),
    secrets: uses.reduce((sum, { secrets }) => sum + secrets, 0),
  }));
}

function conclusion(keyId: string, keys: Keys, unreadable: number) {
  const others = keys.filter((key) => key.keyId !== keyId);
  const safeToDrop = others.filter(({ known, secrets }) => known && secrets === 0).map((key) => key.keyId);
  const used = others.filter(({ secrets }) => secrets > 0).map((key) => `"${key.keyId}" (${key.secrets})`);
  const parts = [
    unreadable > 0 &&
      `${unreadable} cannot be decrypted and were left unchanged: add the key that encrypted them to KEYRING, or reconnect these accounts and create these webhook endpoints again.`,
    used.length > 0 && `Still in use: ${used.join(', ')}.`,
    safeToDrop.length > 0 &&
      `No stored secret uses ${safeToDrop.map((id) => `"${id}"`).join(', ')} any more: it is safe to remove from KEYRING.`,
    used.length === 0 && safeToDrop.length === 0 && `Everything is encrypted with "${keyId}", the only key.`,
  ];
  return { safeToDrop, summary: parts.filter(Boolean).join(' ') };
}
