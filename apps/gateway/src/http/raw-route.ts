import type { CallMetadata } from '@fanfare/rpc';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { StoredResponse } from './idempotency/outcome.ts';
import type { HeaderName } from './openapi/headers.ts';
import type { ParameterName } from './openapi/parameters.ts';
import type { HandlerResult, Exchange, Operation, Parsed, Shape } from './route.ts';

/**
 * An operation that exchanges something else than JSON for JSON: bytes, forms, the protocols and callbacks of others, pages for browsers. Its handler
 * reads the body itself, and its description is written as OpenAPI has it.
 */
export interface RawRouteDefinition<P extends Shape, Q extends Shape> extends Operation<P, Q> {
  /** Query parameters that are not listed are let pass: for callbacks, to which others add what they like. */
  readonly anyQuery?: true;
  /** Comes before every check, for what errors are to have too. */
  begin?(request: Request, response: Response): void;
  /** Of one that is idempotent: reads the body, and says what a repeat of it would say too. The handler answers with the same. */
  digest?(streamed: Streamed): Promise<string>;
  readonly openapi: RawDescription;
  handler(context: Context, exchange: RawExchange<Parsed<P>, Parsed<Q>>): Promise<RawHandlerResult>;
}

export interface RawDescription {
  /** Besides those that every operation of its kind knows. */
  readonly requestHeaders?: readonly ParameterName[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  /** Besides those that every answer of its kind has. */
  readonly responseHeaders?: readonly HeaderName[];
  /** Absent: the answer is all headers. */
  readonly response?: Content;
  /** Browsers may also be led on, with 303. */
  readonly orRedirects?: true;
}

/** By media type. */
export type Content = Readonly<Record<string, { readonly schema: z.ZodType | PlainSchema; readonly example?: unknown }>>;
type PlainSchema = { readonly type: 'string'; readonly format?: string };

/** One request whose body is read as it arrives. */
export interface Streamed {
  readonly request: Request;
  /**
   * Before what a body brought is kept: whether the caller still may.
   * @throws DomainError authentication_required, permission_denied
   */
  checkCallerAgain(): Promise<void>;
  /**
   * Where the request says elsewhere than in its path which business it is about: checks it in the same way, and answers with what goes along with
   * every call to a service.
   * @throws DomainError invalid_value, resource_not_found, permission_denied
   */
  ofBusiness(id: string): Promise<{ readonly metadata: CallMetadata }>;
}

export interface RawExchange<P, Q> extends Exchange<P, Q, unknown>, Streamed {
  readonly response: Response;
}

export interface RawHandlerResult extends HandlerResult<unknown> {
  /** The whole answer, instead of JSON: a page for a browser. */
  readonly instead?: StoredResponse;
  /** Of the body that the handler read: see the route's `digest`. */
  readonly digest?: string;
}

/** A raw route whose types are settled. */
export type RawRoute = RawRouteDefinition<Shape, Shape> & { readonly raw: true };

export function rawRoute<P extends Shape, Q extends Shape>(definition: RawRouteDefinition<P, Q>): RawRoute {
  return { ...definition, raw: true };
}
