import { answered } from '../answer.ts';
import type { CallOptions, EditOptions, OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from '../gen/sdk.gen.ts';
import type { CreateTopic, ListTopicsData, UpdateTopic } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const topics = ({ plain, once, edit }: Caller) => ({
  list: (business_id: string, query: ListTopicsData['query'] = {}, options?: CallOptions) =>
    listing((cursor) => answered(listTopics({ ...plain(options), path: { business_id }, query: { ...query, ...(cursor && { cursor }) } }))),
  get: (business_id: string, topic_id: string, options?: CallOptions) =>
    answered(getTopic({ ...plain(options), path: { business_id, topic_id } })),
  create: (business_id: string, body: CreateTopic, options?: OnceOptions) =>
    answered(createTopic({ ...once(options), path: { business_id }, body })),
  update: (business_id: string, topic_id: string, body: UpdateTopic, options?: EditOptions) =>
    answered(updateTopic({ ...edit(options), path: { business_id, topic_id }, body })),
  delete: (business_id: string, topic_id: string, options?: EditOptions) =>
    answered(deleteTopic({ ...edit(options), path: { business_id, topic_id } })),
});
