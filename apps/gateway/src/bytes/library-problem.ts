import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { notFound } from '@fanfare/errors';
import { readProblem } from '@fanfare/rpc/bytes';

/**
 * Reads a response of the library's port for bytes: it speaks in the same codes.
 * @throws DomainError what the library refused with
 */
export async function checkResponse(response: IncomingMessage): Promise<string> {
  const body = await text(response);
  const status = response.statusCode ?? 500;
  if (status < 300) return body;
  // The response to HEAD has no body that could say more.
  if (status === 404 && body === '') throw notFound('upload');
  throw readProblem(body) ?? new Error(`The library responded with ${status}: ${body.slice(0, 200)}`);
}
