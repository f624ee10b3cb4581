import type { ErrorCode } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Context } from './context.ts';
import type { Caller } from './store/callers.ts';

export type Shape = z.core.$ZodLooseShape;
type Parsed<S extends Shape> = z.output<z.ZodObject<S>>;

/** One operation of the API, as data: authentication, validation and the OpenAPI description all read the same. */
export interface RouteDefinition<P extends Shape, Q extends Shape, B extends z.ZodType, R extends z.ZodType> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As OpenAPI writes it: /api/businesses/{business_id}/posts. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Who may call: holders of an API key. */
  readonly auth: 'api_key';
  /** Path parameters. Those called `business_id` are checked for existence and owner before anything else is read. */
  readonly params: P;
  readonly query: Q;
  /** The JSON body, or the parts of a multipart one that the handler reads itself. */
  readonly body?: B;
  readonly multipart?: true;
  readonly returns: R;
  readonly status: 200 | 201 | 202;
  /** Errors beyond those that every route of its kind can answer with. */
  readonly errors?: readonly ErrorCode[];
  handler(context: Context, exchange: Exchange<Parsed<P>, Parsed<Q>, z.output<B>>): Promise<Answer<z.input<R>>>;
}

/** One request, checked. */
export interface Exchange<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly caller: Caller;
  /** Goes along with every call to a service. */
  readonly call: { readonly metadata: CallMetadata };
  /** For bodies that are streamed. */
  readonly request: Request;
}

export interface Answer<T> {
  readonly body: T;
  /** Path of what was created, or of what to poll. */
  readonly location?: string;
}

/** A route whose types are settled: what the table holds. */
export type Route = RouteDefinition<Shape, Shape, z.ZodType, z.ZodType>;

export function route<P extends Shape, Q extends Shape, B extends z.ZodType, R extends z.ZodType>(
  definition: RouteDefinition<P, Q, B, R>,
): Route {
  return definition;
}
