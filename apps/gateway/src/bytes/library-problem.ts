import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { notFound } from '@fanfare/errors';
import { readProblem } from '@fanfare/rpc/bytes';

/**
 * Reads a response of the library's HTTP port. Its errors have the same codes as those of the API.
 * @throws DomainError the error of the library
 */
export async function checkResponse(response: IncomingMessage): Promise<string> {
  const body = await text(response);
  const status = response.statusCode ?? 500;
  if (status < 300) return body;
  // The response to a HEAD request has no body with more details.
  if (status === 404 && body === '') throw notFound('upload');
  throw readProblem(body) ?? new Error(`The library responded with ${status}: ${body.slice(0, 200)}`);
}
