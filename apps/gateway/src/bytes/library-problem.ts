import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { DomainError, ERROR_TABLE, notFound, type ErrorCode, type FieldError } from '@fanfare/errors';

interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly param?: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  readonly members?: Readonly<Record<string, string>>;
}

/**
 * Reads an answer of the library's port for bytes: it speaks in the same codes.
 * @throws DomainError what the library refused with
 */
export async function checkAnswer(answer: IncomingMessage): Promise<string> {
  const body = await text(answer);
  const status = answer.statusCode ?? 500;
  if (status < 300) return body;
  // The answer to HEAD has no body that could say more.
  if (status === 404 && body === '') throw notFound('upload');
  const { code = '', detail = '', ...more } = parse(body);
  if (!Object.hasOwn(ERROR_TABLE, code)) throw new Error(`The library answered with ${status}: ${body.slice(0, 200)}`);
  throw new DomainError(code as ErrorCode, detail, more);
}

function parse(body: string): Problem {
  try {
    return JSON.parse(body) as Problem;
  } catch {
    return {};
  }
}
