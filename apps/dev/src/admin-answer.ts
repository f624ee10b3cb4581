import { DomainError } from '@fanfare/errors';
import { peerTlsEnv, peerTlsProblems, peerTlsSettings, readEnv, setting, type PeerTlsSettings } from '@fanfare/runtime';
import { createOperator, type AdminAddresses, type Operator } from '@fanfare/stack';
import { readDevFile } from './dev-file.ts';
import { toPublicJson } from './public-json.ts';
import { ADDRESS_SETTINGS, whatDoesNotRun } from './running.ts';

/** The action of a command: prints what it answers with as the API would write it. */
export function answer<O>(act: (operator: Operator, options: O) => Promise<unknown>): (options: O) => Promise<void> {
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

/** Something is left undone: what was done is printed all the same, and the command fails. */
export class Reported extends Error {
  readonly report: unknown;

  constructor(report: unknown, message: string) {
    super(message);
    this.report = report;
  }
}

/** There is nobody to ask. */
export class NotRunning extends Error {
  readonly code = 'not_running';
}

/** Every row of a list that is asked for page by page. */
export async function allPages<T>(
  ask: (page: { pageSize: number; pageToken: string }) => Promise<{ readonly rows: readonly T[]; readonly nextPageToken: string }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let pageToken: string | undefined; pageToken !== '';) {
    const { rows, nextPageToken } = await ask({ pageSize: 100, pageToken: pageToken ?? '' });
    all.push(...rows);
    pageToken = nextPageToken;
  }
  return all;
}

const print = (answered: unknown) => console.log(JSON.stringify(toPublicJson(answered), null, 2));

/** A failure of ours may be that of a service that is not there, also of one behind the one that was asked. */
async function asNotRunning(error: unknown, at: AdminAddresses): Promise<NotRunning | undefined> {
  if (!(error instanceof DomainError) || error.code !== 'internal_error') return undefined;
  const problem = await whatDoesNotRun(at);
  return problem === undefined ? undefined : new NotRunning(problem, { cause: error });
}

/** The operator's own, where the services ask for one. */
function certificate(): PeerTlsSettings | undefined {
  return peerTlsSettings(readEnv(peerTlsEnv([]), process.env, [(read) => peerTlsProblems(read, {})]));
}

function addresses(): AdminAddresses {
  const here = readDevFile()?.admin;
  const address = setting.address().optional();
  const set = readEnv({ GATEWAY_ADMIN_ADDRESS: address, CONTENT_ADDRESS: address, PUBLISHER_ADDRESS: address }, process.env);
  const [gateway, content, publisher] = (['gateway', 'content', 'publisher'] as const).map(
    (name) => set[ADDRESS_SETTINGS[name]] ?? here?.[name],
  );
  if (!gateway || !content || !publisher) {
    throw new NotRunning(
      `No platform is running in this folder. Start one with npm start, or set ${Object.values(ADDRESS_SETTINGS).join(', ')} to host:port.`,
    );
  }
  return { gateway, content, publisher };
}
