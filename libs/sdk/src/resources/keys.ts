import { answered } from '../answer.ts';
import type { CallOptions, EditOptions, OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { createKey, deleteKey, getKey, listKeys, rotateKey } from '../gen/sdk.gen.ts';
import type { CreateApiKey, DeleteKeyData, GetKeyData, ListKeysData, RotateApiKey } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const keys = ({ plain, once, edit }: Caller) => ({
  list: (query: ListKeysData['query'] = {}, options?: CallOptions) =>
    listing((cursor) => answered(listKeys({ ...plain(options), query: { ...query, ...(cursor && { cursor }) } }))),
  get: (key_id: string, query: GetKeyData['query'] = {}, options?: CallOptions) =>
    answered(getKey({ ...plain(options), path: { key_id }, query })),
  create: (body: CreateApiKey, options?: OnceOptions) => answered(createKey({ ...once(options), body })),
  delete: (key_id: string, query: DeleteKeyData['query'] = {}, options?: EditOptions) =>
    answered(deleteKey({ ...edit(options), path: { key_id }, query })),
  rotate: (key_id: string, body: RotateApiKey = {}, options?: OnceOptions) =>
    answered(rotateKey({ ...once(options), path: { key_id }, body })),
});
