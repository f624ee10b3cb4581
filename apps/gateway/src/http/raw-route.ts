import type { CallMetadata } from '@fanfare/rpc';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { StoredResponse } from './idempotency/outcome.ts';
import type { RouteHeaders } from './openapi/headers.ts';
import type { RouteParameters } from './openapi/parameters.ts';
import type { HandlerResult, Exchange, Operation, Parsed, Shape } from './route.ts';

/**
 * An operation whose bodies are not JSON: bytes, forms, the protocols and callbacks of others, pages for browsers. Its handler reads the body itself,
 * and its description is written as in OpenAPI.
 */
interface RawRouteDefinition<P extends Shape, Q extends Shape> extends Operation<P, Q> {
  /** Unknown query parameters are allowed: for callbacks, to which others may add parameters. */
  readonly anyQuery?: true;
  /** Runs before every check, for headers that errors must have too. */
  begin?(request: Request, response: Response): void;
  /** For an idempotent operation: reads the body and returns its digest. The handler must return the same digest. */
  digest?(streamed: Streamed): Promise<string>;
  readonly openapi: RawDescription;
  handler(context: Context, exchange: RawExchange<Parsed<P>, Parsed<Q>>): Promise<RawHandlerResult>;
}

export interface RawDescription {
  /** Besides those of every operation of its kind. */
  readonly requestHeaders?: RouteParameters;
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  /** Besides those of every response of its kind. */
  readonly responseHeaders?: RouteHeaders;
  /** Absent if the response has no body. */
  readonly response?: Content;
  /** Browsers may also be redirected, with 303. */
  readonly orRedirects?: true;
}

/** By media type. */
export type Content = Readonly<Record<string, { readonly schema: z.ZodType | PlainSchema; readonly example?: unknown }>>;
type PlainSchema = { readonly type: 'string'; readonly format?: string };

/** One request whose body is read as it arrives. */
export interface Streamed {
  readonly request: Request;
  /**
   * Checks that the caller still has access, before an uploaded body is stored.
   * @throws DomainError authentication_required, permission_denied
   */
  checkCallerAgain(): Promise<void>;
  /**
   * For requests that do not name their business in the path: checks access to it, and returns the metadata for calls to services.
   * @throws DomainError invalid_value, resource_not_found, permission_denied
   */
  ofBusiness(id: string): Promise<{ readonly metadata: CallMetadata }>;
}

export interface RawExchange<P, Q> extends Exchange<P, Q, unknown>, Streamed {
  readonly response: Response;
}

export interface RawHandlerResult extends HandlerResult<unknown> {
  /** The complete response instead of JSON: a page for a browser. */
  readonly instead?: StoredResponse;
  /** The digest of the body that the handler read: see the route's `digest`. */
  readonly digest?: string;
}

/** A raw route without its type parameters. */
export type RawRoute = RawRouteDefinition<Shape, Shape> & { readonly raw: true };

export function rawRoute<P extends Shape, Q extends Shape>(definition: RawRouteDefinition<P, Q>): RawRoute {
  return { ...definition, raw: true };
}
