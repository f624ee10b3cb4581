import type { ErrorCode } from '@fanfare/errors';
import { type VersionedResource } from '@fanfare/resources';
import type { CallMetadata } from '@fanfare/rpc';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Access, Caller, Membership } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import type { Ids } from './idempotency/idempotency.ts';
import type { RouteParameters } from './openapi/parameters.ts';
import type { RawExchange, RawRoute } from './raw-route.ts';
import type { CsvTable } from './response/csv.ts';

export type Shape = z.core.$ZodLooseShape;
export type Parsed<S extends Shape> = z.output<z.ZodObject<S>>;

/** An operation of the API, with what authentication, limits, versions and the OpenAPI description need to know. */
export interface Operation<P extends Shape = Shape, Q extends Shape = Shape> extends Scoped {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options';
  /** As OpenAPI writes it: /api/businesses/{business_id}/posts. */
  readonly path: string;
  readonly operationId: string;
  /** The method of the client library, for the samples; a test in libs/sdk checks it. Absent if the library does not have the operation. */
  readonly sdkMethod?: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly params: P;
  readonly query: Q;
  /** 303 redirects a browser to `location`. */
  readonly status: 200 | 201 | 202 | 204 | 303;
  /** The kind of resource in the response, or in its page. Version changes are keyed to it. */
  readonly resource?: VersionedResource;
  /**
   * Permitted while the business or the organization is being deleted, like everything that reads: it ends something, or has nothing to do with what is deleted.
   */
  readonly duringDeletion?: true;
  /** Creates or publishes: a repeat with the same Idempotency-Key gets the first response. */
  readonly idempotent?: true;
  /** Every response has `Deprecation` and `Link` headers (RFC 9745). */
  readonly deprecated?: {
    readonly since: Date;
    /** Path of the documentation of what to use instead. */
    readonly instead: string;
  };
  /** Errors besides those that every route of its kind can return. */
  readonly errors?: readonly ErrorCode[];
}

/** An operation whose request body is JSON or empty, and whose response is JSON. All others are a `rawRoute`. */
interface RouteDefinition<P extends Shape, Q extends Shape, B extends z.ZodType, R extends z.ZodType> extends Operation<P, Q> {
  readonly body?: B;
  /** The maximum size of the body, if it is more than 1 MiB. */
  readonly bodyBytes?: number;
  readonly returns: R;
  /** If the work takes longer than a request, it continues in the background, and the response is 202 with a `location` to poll. */
  readonly orAccepted?: true;
  /** The response is one resource, read or updated, or a page: it gets a `self` member with its URL. */
  readonly self?: 'resource' | 'page';
  /** Request headers that the handler reads, besides those of every operation of its kind. */
  readonly requestHeaders?: RouteParameters;
  /** The response as a table, for callers that accept `text/csv` rather than JSON. */
  csv?(body: z.input<R>): CsvTable;
  /** Instead, sends a stream of events to callers that accept `text/event-stream` rather than JSON, and resolves when it has ended. */
  stream?(context: Context, exchange: RawExchange<Parsed<P>, Parsed<Q>>): Promise<void>;
  /** For the OpenAPI description. */
  readonly examples?: { readonly body?: z.input<B>; readonly response?: z.input<R>; readonly accepted?: z.input<R> };
  handler(context: Context, exchange: Exchange<Parsed<P>, Parsed<Q>, z.output<B>>): Promise<HandlerResult<z.input<R>>>;
}

/** Who may call an operation, and what it is about. */
interface Scoped {
  /** Who may call it; not read with scope `none`. */
  readonly access: Access;
  /**
   * - `business`: the business in the path, checked for existence and owner before anything else is read; or `business_id` in the body
   * - `organization`: the caller's; a user with several names one with `organization_id`, in the query of GET and DELETE, otherwise in the body
   * - `caller`: everything that the caller belongs to
   * - `none`: needs no credential
   */
  readonly scope: 'business' | 'organization' | 'caller' | 'none';
}

/** One request after all checks. */
export interface Exchange<P, Q, B> {
  readonly request: Request;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** @throws Error with scope `none` */
  readonly caller: Caller;
  /** @throws Error with scope `caller` and `none` */
  readonly organization: Membership;
  /** Options for every call to a service. */
  readonly call: { readonly metadata: CallMetadata };
  /** The ids of this operation and of the resource that it creates, the same for every repeat. Derive all other new ids from them. */
  readonly ids: Ids;
  /** The revisions that `If-Match` allows; empty without a condition. */
  readonly ifRevisions: readonly number[];
  readonly requestId: string;
}

export interface HandlerResult<T> {
  readonly body: T;
  readonly headers?: Readonly<Record<string, string>>;
  /** With `orAccepted`: the work continues in the background. */
  readonly isAccepted?: boolean;
  /** The path of the resource that was created or is to be polled, or of the resource itself if the request's path differs. */
  readonly location?: string;
  /** The revision of a single resource, for its ETag. */
  readonly revision?: number;
  /** Changes the ETag within the same revision, when the response changes although the resource does not. */
  readonly reading?: number;
}

/** A JSON route without its type parameters. */
export type JsonRoute = RouteDefinition<Shape, Shape, z.ZodType, z.ZodType> & { readonly raw?: undefined };

/** An entry of the route table. */
export type Route = JsonRoute | RawRoute;

export function route<P extends Shape, Q extends Shape, B extends z.ZodType, R extends z.ZodType>(
  definition: RouteDefinition<P, Q, B, R>,
): Route {
  return definition;
}
