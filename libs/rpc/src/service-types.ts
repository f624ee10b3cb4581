import type { Call } from './server.ts';

/** A service as ts-proto generates it: `ContentServiceService`. */
export type ServiceDefinition = Readonly<Record<string, Method>>;

export interface Method {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (message: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (message: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

type RequestOf<M> = M extends { requestDeserialize: (bytes: Buffer) => infer R } ? R : never;
type ResponseOf<M> = M extends { responseDeserialize: (bytes: Buffer) => infer R } ? R : never;

export type Handler<M> = (request: RequestOf<M>, call: Call) => Promise<ResponseOf<M>>;

/** One handler for each method of a service. */
export type Handlers<D> = { readonly [M in keyof D]: Handler<D[M]> };

/** Options of a call. */
export interface CallOptions {
  readonly call: Pick<Call, 'metadata'> & { readonly deadline?: Date };
  /** In milliseconds. A deadline of the caller that is earlier takes precedence. */
  readonly timeoutMs?: number;
}

/** A client with one function for each method of a service. */
export type Client<D> = {
  readonly [M in keyof D]: (request: RequestOf<D[M]>, options: CallOptions) => Promise<ResponseOf<D[M]>>;
};
