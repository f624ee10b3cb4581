import { DomainError } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import type { Request, Response } from 'express';
import type { Context } from '../../context.ts';
import type { Operation } from '../route.ts';
import type { Ids } from './idempotency.ts';
import type { StoredResponse } from './outcome.ts';

const READS: ReadonlySet<Operation['method']> = new Set(['get', 'head', 'options']);
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a route's work. With an Idempotency-Key it runs once, however often the request is repeated.
 * @param scope the organization that the key belongs to, or the user if no organization is known
 * @param body parsed JSON; undefined where the body is streamed
 * @throws DomainError what the work threw, now or the first time; IDEMPOTENCY_KEY_CONFLICT
 */
export async function once(
  { idempotency }: Pick<Context, 'idempotency'>,
  route: Pick<Operation, 'method' | 'idempotent'>,
  { request, response, scope, path, body, digest }: Once,
  work: (ids: Ids) => Promise<StoredResponse>,
): Promise<StoredResponse> {
  if (READS.has(route.method)) return work(NOTHING);
  const key = route.idempotent ? request.headers['idempotency-key'] : undefined;
  if (key === undefined) return work({ operationId: newId(), resourceId: newId() });
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new DomainError('invalid_value', 'An Idempotency-Key must have 1 to 255 visible characters.', { param: 'Idempotency-Key' });
  }

  const disconnected = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort();
  });
  const { outcome, isReplayed } = await idempotency.runOnce(
    {
      key,
      scope,
      method: request.method,
      path,
      body,
      ...(digest && { digest }),
      signal: disconnected.signal,
    },
    work,
  );
  if (isReplayed) response.setHeader('Idempotency-Replayed', 'true');
  if ('problem' in outcome) throw outcome.problem;
  return outcome.response;
}

/** A read changes nothing and needs no ids. */
const NOTHING: Ids = { operationId: '', resourceId: '' };

/** Whether a repeat of this request gets the first response. */
export const isRepeatable = (route: Pick<Operation, 'idempotent'>, request: Request): boolean =>
  route.idempotent === true && request.headers['idempotency-key'] !== undefined;

interface Once {
  readonly request: Request;
  readonly response: Response;
  readonly scope: string;
  /** As the route defines it, whatever the case of the request's path. */
  readonly path: string;
  readonly body: unknown;
  /** Of a body that is streamed: see `Repeatable`. */
  readonly digest: (() => Promise<string>) | undefined;
}
