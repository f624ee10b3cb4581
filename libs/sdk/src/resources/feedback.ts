import { answered } from '../answer.ts';
import type { CallOptions, OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { createFeedback, getFeedback, listFeedback } from '../gen/sdk.gen.ts';
import type { CreateFeedback, GetFeedbackData, ListFeedbackData } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const feedback = ({ plain, once }: Caller) => ({
  list: (query: ListFeedbackData['query'] = {}, options?: CallOptions) =>
    listing((cursor) => answered(listFeedback({ ...plain(options), query: { ...query, ...(cursor && { cursor }) } }))),
  get: (feedback_id: string, query: GetFeedbackData['query'] = {}, options?: CallOptions) =>
    answered(getFeedback({ ...plain(options), path: { feedback_id }, query })),
  create: (body: CreateFeedback, options?: OnceOptions) => answered(createFeedback({ ...once(options), body })),
});
