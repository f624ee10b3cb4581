import { DomainError } from '@fanfare/errors';
import { peerTlsEnv, peerTlsProblems, peerTlsSettings, readEnv, setting, type PeerTlsSettings } from '@fanfare/runtime';
import { createOperator, type AdminAddresses, type Operator } from '@fanfare/stack';
import { readDevFile } from '../../dev-file.ts';
import { toPublicJson } from '../values/public-json.ts';
import { ADDRESS_SETTINGS, describeNotRunning } from '../../running.ts';

/** The action of a command: calls the services as an operator, and prints the result in the JSON of the API. */
export function asOperator<O>(act: (operator: Operator, options: O) => Promise<unknown>): (options: O) => Promise<void> {
  return async (options) => {
    const at = addresses();
    const operator = createOperator(at, certificate());
    try {
      print(await act(operator, options));
    } catch (error) {
      if (error instanceof Reported) print(error.report);
      throw (await asNotRunning(error, at)) ?? error;
    } finally {
      operator.close();
    }
  };
}

/** The command succeeded only in part: it prints what it did, and fails. */
export class Reported extends Error {
  readonly report: unknown;

  constructor(report: unknown, message: string) {
    super(message);
    this.report = report;
  }
}

/** The services are not running. */
class NotRunning extends Error {
  readonly code = 'not_running';
}

/** Every row of a list that is read page by page. */
export async function allPages<T>(
  readPage: (page: { pageSize: number; pageToken: string }) => Promise<{ readonly rows: readonly T[]; readonly nextPageToken: string }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let pageToken: string | undefined; pageToken !== '';) {
    const { rows, nextPageToken } = await readPage({ pageSize: 100, pageToken: pageToken ?? '' });
    all.push(...rows);
    pageToken = nextPageToken;
  }
  return all;
}

/** Undefined: the command has printed its result itself. */
const print = (result: unknown) => result !== undefined && console.log(JSON.stringify(toPublicJson(result), null, 2));

/** An internal error may mean that a service is not running: the one that was called, or one that it calls. */
async function asNotRunning(error: unknown, at: AdminAddresses): Promise<NotRunning | undefined> {
  if (!(error instanceof DomainError) || error.code !== 'internal_error') return undefined;
  const problem = await describeNotRunning(at);
  return problem === undefined ? undefined : new NotRunning(`${error.message} ${problem}`, { cause: error });
}

/** The operator's certificate, if the services require one. */
function certificate(): PeerTlsSettings | undefined {
  return peerTlsSettings(readEnv(peerTlsEnv([]), process.env, [(read) => peerTlsProblems(read, {})]));
}

function addresses(): AdminAddresses {
  const here = readDevFile()?.admin;
  const address = setting.address().optional();
  const set = readEnv(
    { GATEWAY_ADMIN_ADDRESS: address, CONTENT_ADDRESS: address, PUBLISHER_ADDRESS: address, WEBHOOKS_ADDRESS: address },
    process.env,
  );
  const [gateway, content, publisher, webhooks] = (['gateway', 'content', 'publisher', 'webhooks'] as const).map(
    (name) => set[ADDRESS_SETTINGS[name]] ?? here?.[name],
  );
  if (!gateway || !content || !publisher || !webhooks) {
    throw new NotRunning(
      `Fanfare is not running in this folder. Start it with npm start, or set ${Object.values(ADDRESS_SETTINGS).join(', ')} to host:port.`,
    );
  }
  return { gateway, content, publisher, webhooks };
}
