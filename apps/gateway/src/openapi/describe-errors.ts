import type { ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { ERROR_TABLE, type ErrorCode } from '@fanfare/errors';
import { ERROR_EXPLANATIONS } from '../error-explanations.ts';
import { problem, problemEnvelope } from '../resources/problem.ts';
import type { Route } from '../route.ts';

/** One response for each status that a route can fail with, and in it the codes. */
export function describeErrors(route: Route, headers: NonNullable<ResponseConfig['headers']>): Record<string, ResponseConfig> {
  const byStatus = Map.groupBy(errorsOf(route), (code) => ERROR_TABLE[code].httpStatus);
  const responses = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\`: ${ERROR_EXPLANATIONS[code]}`).join('\n\n'),
      headers,
      content: { 'application/problem+json': { schema: problem }, 'application/json': { schema: problemEnvelope } },
    },
  ]);
  return Object.fromEntries(responses) as Record<string, ResponseConfig>;
}

function errorsOf({ params, query, body, errors = [] }: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['authentication_required', 'permission_denied', 'validation_failed', 'internal_error', ...errors];
  if (Object.keys(params).length > 0) codes.push('invalid_value', 'resource_not_found');
  if (Object.keys(query).length > 0) codes.push('invalid_value', 'invalid_request');
  if (body) codes.push('missing_field', 'invalid_value', 'invalid_request', 'payload_too_large', 'unsupported_media_type');
  return [...new Set(codes)];
}
