import type { ErrorCode } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Access, Caller, Membership } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import type { Ids } from './idempotency/idempotency.ts';
import type { RawRoute } from './raw-route.ts';
import type { VersionedResource } from './versions/version-change.ts';

export type Shape = z.core.$ZodLooseShape;
export type Parsed<S extends Shape> = z.output<z.ZodObject<S>>;

/** What is known of every operation of the API, however it exchanges: for authentication, limits, versions and the OpenAPI description. */
export interface Operation<P extends Shape = Shape, Q extends Shape = Shape> extends Scoped {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options';
  /** As OpenAPI writes it: /api/businesses/{business_id}/posts. */
  readonly path: string;
  readonly operationId: string;
  /** How the client library calls it, for the samples; a test of libs/sdk holds them to what the library does. Absent: programs do not call it. */
  readonly sdkMethod?: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly params: P;
  readonly query: Q;
  /** 303 leads a browser on to `location`. */
  readonly status: 200 | 201 | 202 | 204 | 303;
  /** What kind of resource the answer is, or is a page of: changes of the API's versions are keyed to it. */
  readonly resource?: VersionedResource;
  /** Creates or publishes: a repeat with the same Idempotency-Key gets the first answer. */
  readonly idempotent?: true;
  /** Errors beyond those that every route of its kind can answer with. */
  readonly errors?: readonly ErrorCode[];
}

/** An operation that takes JSON, or nothing, and answers with JSON. What exchanges anything else is a `rawRoute`. */
export interface RouteDefinition<P extends Shape, Q extends Shape, B extends z.ZodType, R extends z.ZodType> extends Operation<P, Q> {
  readonly body?: B;
  /** What the body may weigh, where it is more than 1 MiB. */
  readonly bodyBytes?: number;
  readonly returns: R;
  /** Where the work takes longer than a request, it goes on in the background: then the answer is 202, with `location` to poll. */
  readonly orAccepted?: true;
  /** The answer is one resource, read or updated, or a page of them: it says its own URL. */
  readonly self?: 'resource' | 'page';
  /** For the OpenAPI description. */
  readonly examples?: { readonly body?: z.input<B>; readonly response?: z.input<R>; readonly accepted?: z.input<R> };
  handler(context: Context, exchange: Exchange<Parsed<P>, Parsed<Q>, z.output<B>>): Promise<HandlerResult<z.input<R>>>;
}

/** Whom an operation is for, and what it is about. */
export interface Scoped {
  /** Who may call it; not read with scope `none`. */
  readonly access: Access;
  /**
   * - `business`: the business in the path, checked for existence and owner before anything else is read; or `business_id` in the body
   * - `organization`: the caller's; who belongs to several names one by `organization_id`, in the query of GET and DELETE, else in the body
   * - `caller`: everything that the caller belongs to
   * - `none`: no credential is asked for
   */
  readonly scope: 'business' | 'organization' | 'caller' | 'none';
}

/** One request, checked. */
export interface Exchange<P, Q, B> {
  readonly request: Request;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** @throws Error with scope `none` */
  readonly caller: Caller;
  /** @throws Error with scope `caller` and `none` */
  readonly organization: Membership;
  /** Goes along with every call to a service. */
  readonly call: { readonly metadata: CallMetadata };
  /** Of this change, the same for every repeat of it: the operation, and the resource that it creates. Whatever else it needs derives from these. */
  readonly ids: Ids;
  /** Revisions of which the resource must have one, by `If-Match`; empty when there is no such condition. */
  readonly ifRevisions: readonly number[];
  readonly requestId: string;
}

export interface HandlerResult<T> {
  readonly body: T;
  readonly headers?: Readonly<Record<string, string>>;
  /** With `orAccepted`: the work goes on. */
  readonly isAccepted?: boolean;
  /** Path of what was created or is to be polled; of the resource, where the request's own path is not it. */
  readonly location?: string;
  /** Makes the ETag of a single resource. */
  readonly revision?: number;
  /** Makes another ETag of the same revision, where what is read changed and the resource did not. */
  readonly reading?: number;
}

/** A route whose types are settled. */
export type JsonRoute = RouteDefinition<Shape, Shape, z.ZodType, z.ZodType> & { readonly raw?: undefined };

/** What the table holds. */
export type Route = JsonRoute | RawRoute;

export function route<P extends Shape, Q extends Shape, B extends z.ZodType, R extends z.ZodType>(
  definition: RouteDefinition<P, Q, B, R>,
): Route {
  return definition;
}
