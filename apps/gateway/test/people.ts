import { newId } from '@fanfare/runtime';
import { openMail } from '../src/accounts/mail/sealed-mail.ts';
import { signedIn } from '../src/accounts/sign-in/signed-in.ts';
import { putPasswordHash } from '../src/accounts/store/accounts.ts';
import type { MailDocument } from '../src/accounts/store/mails.ts';
import { findSession } from '../src/accounts/store/sessions.ts';
import { findUser } from '../src/accounts/store/users.ts';
import { toSignedIn } from '../src/api/sign-in/signed-in.ts';
import { admin, type RunningGateway } from './running-gateway.ts';

export const PASSWORD = 'three crusty loaves';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
}

/** A signed-in user. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly tokens: Tokens;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

export const SIGNED_OUT = { status: 401, code: 'authentication_required' };

let addresses = 0;

/** An address that no other test uses, because throttles count addresses. A gateway that trusts its proxy accepts it. */
export const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });

let made = 0;
let passwordHash: Promise<string> | undefined;

/**
 * Creates a user with a password, as an operator creates the first owner of an organization, and a session. It makes no request, because hashing a password
 * takes a tenth of a second of a processor, and other tests cover sign-in.
 */
export async function aPerson(gateway: RunningGateway, role = 'owner', organizationId = gateway.organizationId): Promise<Person> {
  const { db, identity } = gateway.context;
  const email = `person${++made}@example.com`;
  const { user } = await gateway.admin.createUser({ organizationId, email, name: `Person ${made}`, role }, admin);
  const userId = user?.id ?? '';
  const { password, internalAdapter } = await (await identity.betterAuth()).$context;
  passwordHash ??= password.hash(PASSWORD);
  await putPasswordHash(db, { id: newId(), userId, hash: await passwordHash });
  const { id } = await internalAdapter.createSession(userId, false, { ipAddress: '127.0.0.1', userAgent: 'a test' });
  const [document, session] = await Promise.all([findUser(db, userId), findSession(db, id)]);
  if (!document || !session) throw new Error('No user was created.');
  return asPerson(gateway, toSignedIn(await signedIn(gateway.context, document, session)));
}

/** An organization of its own for a test, with one user of each role. */
export async function anOrganization(gateway: RunningGateway) {
  const { organization } = await gateway.admin.createOrganization({ name: 'Mill', plan: 'roomy', mode: 'ORGANIZATION_MODE_TEST' }, admin);
  const organizationId = organization?.id ?? '';
  const [owner, manager, editor, viewer] = await Promise.all(
    ['owner', 'admin', 'editor', 'viewer'].map((role) => aPerson(gateway, role, organizationId)),
  );
  if (!owner || !manager || !editor || !viewer) throw new Error('A role is missing.');
  return { organizationId, owner, manager, editor, viewer };
}

export function asPerson(gateway: RunningGateway, tokens: Tokens): Person {
  return {
    id: tokens.user.id,
    email: tokens.user.email,
    tokens,
    call: (method, path, body, headers) => send(gateway, method, path, body, tokens.access_token, headers),
  };
}

export async function signIn(gateway: RunningGateway, email: string, password = PASSWORD): Promise<Tokens> {
  const response = await anonymously(gateway, '/api/auth/sign-in', { email, password });
  expect(response.status).toBe(200);
  return (await response.json()) as Tokens;
}

export const anonymously = (gateway: RunningGateway, path: string, body: unknown, headers?: Record<string, string>): Promise<Response> =>
  send(gateway, 'POST', path, body, null, headers);

async function send(
  gateway: RunningGateway,
  method: string,
  path: string,
  body: unknown,
  key: string | null,
  headers: Record<string, string> = {},
): Promise<Response> {
  const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
  return gateway.call(path, { method, key, headers, ...json });
}

/** The queued mails to an address, oldest first; nothing sends mail in these tests. */
export async function mailsTo({ context }: RunningGateway, to: string): Promise<{ template: string; text: string; token: string }[]> {
  const queued = await context.db.collection<MailDocument>('mails').find().sort({ created_at: 1 }).toArray();
  return queued
    .map(({ _id, template, sealed = '' }) => ({ template, ...openMail(context.keyring, _id, sealed) }))
    .filter((mail) => mail.to === to)
    .map(({ template, text }) => ({ template, text, token: decodeURIComponent(/[?&]token=([^\s&]+)/.exec(text)?.[1] ?? '') }));
}

/** The token of the last invitation to an address. */
export async function invitationTokenTo(gateway: RunningGateway, email: string): Promise<string | undefined> {
  return (await mailsTo(gateway, email)).findLast(({ template }) => template === 'invitation')?.token;
}
