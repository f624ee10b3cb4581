import { checkContent, checkOptions, type Connector, type Content } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { isExpiring } from '../accounts/domain/is-expiring.ts';
import type { IntegrationDocument } from '../accounts/store/integrations.ts';
import { ConversionFailed, ConversionUnderWay, convertMedia } from '../content/convert-media.ts';
import { conversionWarnings } from '../content/domain/conversion-warnings.ts';
import { rejectionMessage } from '../content/domain/rejection-message.ts';
import { loadContent } from '../content/load-content.ts';
import { withUnwritten } from '../deliveries/store/deliveries.ts';
import { giveUp, shortWait, type Outcome } from './outcome.ts';
import { connectorOf, type Leased, type Run } from './run.ts';

const LIBRARY_DELAY_MS = 2_000;
const CONVERSION_DELAY_MS = 1_000;
const DISCONNECTED_BEFORE = 'This account was disconnected before the post was sent.';

/** Everything that can be checked before the platform is called: the account, its media, and the platform's rules. */
export async function prepare(leased: Leased, integration: IntegrationDocument | null): Promise<Run | Outcome> {
  const { delivery } = leased;
  const account = checkAccount(leased, integration);
  if ('kind' in account) return account;
  const connector = connectorOf(delivery);
  const loaded = await load(leased, connector);
  if ('kind' in loaded) return loaded;
  const { given, content } = loaded;

  // Once a step has succeeded the platform decides.
  const isUntouched = !delivery.commit && Object.keys(delivery.state).length === 0;
  const accountKind = connector.accountKind?.(account.account_id);
  const [finding] = isUntouched ? [...checkOptions(connector, content.options), ...checkContent(connector, content, accountKind)] : [];
  if (finding) return giveUp(delivery, 'validation_failed', rejectionMessage(finding, content, connector.limits, delivery.content));
  const warnings = isUntouched && delivery.warnings.length === 0 ? conversionWarnings(connector, given, delivery.content) : [];

  return {
    ...leased,
    delivery: warnings.length > 0 ? withUnwritten(delivery, { warnings }) : delivery,
    connector,
    content,
    integration: account,
    tokens: isExpiring(account) ? 'expiring' : 'usable',
  };
}

function checkAccount({ delivery }: Leased, integration: IntegrationDocument | null): IntegrationDocument | Outcome {
  if (!integration || integration.status === 'INTEGRATION_STATUS_DISCONNECTED') {
    const hasSteps = Object.keys(delivery.steps ?? {}).length > 0;
    return giveUp(delivery, 'permission_denied', hasSteps ? 'This account is no longer connected.' : DISCONNECTED_BEFORE);
  }
  // Disconnected and reconnected since: deliveries given up then are not published.
  if (!delivery.commit && integration.disconnected_at && delivery.created_at <= integration.disconnected_at) {
    return giveUp(delivery, 'permission_denied', DISCONNECTED_BEFORE);
  }
  if (integration.status === 'INTEGRATION_STATUS_EXPIRED') {
    return giveUp(delivery, 'token_expired', 'This account has to be reconnected.');
  }
  return integration;
}

interface Loaded {
  /** Before conversions. */
  readonly given: Content;
  /** With media converted for the platform. */
  readonly content: Content;
}

async function load({ context, delivery, log }: Leased, connector: Connector): Promise<Loaded | Outcome> {
  try {
    const given = await loadContent(context, delivery);
    return { given, content: await convertMedia(context, connector, given, delivery) };
  } catch (error) {
    if (error instanceof ConversionUnderWay)
      return shortWait(CONVERSION_DELAY_MS, { reason: 'media', message: 'The media are being converted.' });
    if (error instanceof ConversionFailed) return giveUp(delivery, 'media_failed', error.message);
    if (error instanceof DomainError && error.code === 'resource_not_found') {
      return giveUp(delivery, 'media_failed', 'An image or video of this post no longer exists.');
    }
    log.warn({ err: error }, 'the content cannot be loaded yet');
    // Not a failure of the delivery: it waits for our own library as long as necessary.
    return shortWait(LIBRARY_DELAY_MS, { reason: 'media', message: 'The media cannot be loaded yet.' });
  }
}
