import { ERROR_TABLE, type ErrorCode } from '@fanfare/errors';
import { ERROR_EXPLANATIONS } from './error-explanations.ts';
import { exampleProblem } from './example-problem.ts';
import { requestParams } from '../request/parse-query.ts';
import { READING } from '../callers/check-deleting.ts';
import type { Route } from '../route.ts';
import { headerRefs } from './headers.ts';

/** For `components.responses`: one named response for each set of codes that share a status in some route. */
export function errorResponses(routes: readonly Route[], baseUrl: string): Record<string, object> {
  const sets = new Map(routes.flatMap(byStatus).map(([, codes]) => [nameOf(codes), codes]));
  return Object.fromEntries([...sets].map(([name, codes]) => [name, describe(codes, baseUrl)]));
}

/** Status → the response that a route can fail with. */
export function errorRefs(route: Route): Record<string, { $ref: string }> {
  return Object.fromEntries(
    byStatus(route).map(([status, codes]) => [String(status), { $ref: `#/components/responses/${nameOf(codes)}` }]),
  );
}

function describe(codes: readonly ErrorCode[], baseUrl: string): object {
  const examples = Object.fromEntries(
    codes.map((code) => [code, { summary: ERROR_TABLE[code].title, value: exampleProblem(code, `${baseUrl}/errors/${code}`) }]),
  );
  const enveloped = Object.entries(examples).map(([code, { summary, value }]) => [code, { summary, value: { error: value } }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_EXPLANATIONS[code].meaning}`).join('\n\n'),
    headers: headerRefs(codes.flatMap(headersOf)),
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples },
      'application/json': { schema: { $ref: '#/components/schemas/ProblemEnvelope' }, examples: Object.fromEntries(enveloped) as object },
    },
  };
}

function headersOf(code: ErrorCode) {
  if (code === 'authentication_required') return ['WWW-Authenticate'] as const;
  return code === 'rate_limit_exceeded' || code === 'internal_error' ? (['Retry-After'] as const) : [];
}

const byStatus = (route: Route): [number, ErrorCode[]][] => [...Map.groupBy(errorsOf(route), (code) => ERROR_TABLE[code].httpStatus)];

/** MissingFieldOrInvalidValue */
const nameOf = (codes: readonly ErrorCode[]) =>
  codes.map((code) => code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())).join('Or');

/** The errors that the pipeline can return, and those that the route declares; in the order of the table. */
function errorsOf(route: Route): ErrorCode[] {
  const { method, scope, params, query, idempotent, duringDeletion, errors = [] } = route;
  const codes = new Set<ErrorCode>(['validation_failed', 'rate_limit_exceeded', 'internal_error', ...errors]);
  const add = (...more: ErrorCode[]) => more.forEach((code) => codes.add(code));
  if (scope !== 'none') add('authentication_required', 'permission_denied');
  if (scope === 'organization') add('missing_field');
  if ((scope === 'business' || scope === 'organization') && !READING.includes(method) && !duringDeletion) add('conflict');
  if (Object.keys(params).length > 0) add('invalid_value', 'resource_not_found');
  if (Object.keys(query).length > 0) add('invalid_value');
  if (requestParams(query).length > 0) add('invalid_request');
  if (route.raw ? route.openapi.requestBody : route.body)
    add('missing_field', 'invalid_value', 'invalid_request', 'payload_too_large', 'unsupported_media_type');
  if (idempotent) add('IDEMPOTENCY_KEY_CONFLICT', 'invalid_value');
  return (Object.keys(ERROR_TABLE) as ErrorCode[]).filter((code) => codes.has(code));
}
