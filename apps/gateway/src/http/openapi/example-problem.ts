import { ERROR_TABLE, type ErrorCode } from '@fanfare/errors';
import { ERROR_EXPLANATIONS } from './error-explanations.ts';

/** The complete body of an error. */
export function exampleProblem(code: ErrorCode, type: string): Record<string, unknown> {
  const { title, httpStatus } = ERROR_TABLE[code];
  const { detail, instance, ...members } = ERROR_EXPLANATIONS[code].example;
  return { type, title, status: httpStatus, detail, code, instance, request_id: 'req_0197f3a4-9e8d-7b6c-a5f4-e3d2c1b0a955', ...members };
}
