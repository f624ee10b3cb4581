import { z } from 'zod';
import type { Sandbox } from '../../platforms/platform.ts';
import type { Call } from '../../wire/call.ts';
import { json, type Reply } from '../../wire/reply.ts';
import { checkStrict } from './check-schema.ts';
import { invalid, unknownModel } from './errors.ts';
import { bodyOf } from './openai-operation.ts';
import { writeJson } from './write.ts';

const MODELS = /^(gpt-|o\d|chatgpt-)/;
const CHARACTERS_PER_TOKEN = 4;

const message = z.strictObject({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.string(),
});
const format = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: z.string().regex(/^[\w-]{1,64}$/),
      strict: z.boolean().nullish(),
      description: z.string().optional(),
      schema: z.record(z.string(), z.unknown()),
    }),
  }),
]);
/** The simulated part of https://platform.openai.com/docs/api-reference/chat/create. */
const request = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  response_format: format.default({ type: 'text' }),
  max_completion_tokens: z.number().int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  n: z.literal(1).nullish(),
  stream: z.literal(false).nullish(),
  user: z.string().optional(),
});

export function createChatCompletion(call: Call, { world }: Sandbox): Reply {
  const { model, messages, response_format: wanted, max_completion_tokens: most } = bodyOf(request, call);
  if (!MODELS.test(model)) throw unknownModel(model);
  const whole = messages.map(({ content }) => content).join('\n');
  if (wanted.type === 'json_object' && !/json/i.test(whole))
    throw invalid("'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.", 'messages');
  const requested = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const content = contentFor(wanted, requested);
  const [promptTokens, completionTokens] = [tokensOf(whole), tokensOf(content)];
  const isCut = typeof most === 'number' && completionTokens > most;
  return json(200, {
    id: `chatcmpl-${world.nextNumber()}`,
    object: 'chat.completion',
    created: Math.floor(world.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: isCut ? content.slice(0, most * CHARACTERS_PER_TOKEN) : content,
          refusal: null,
          annotations: [],
        },
        logprobs: null,
        finish_reason: isCut ? 'length' : 'stop',
      },
    ],
    usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: promptTokens + completionTokens },
  });
}

function contentFor(wanted: z.infer<typeof format>, requested: string): string {
  if (wanted.type === 'text') return requested.slice(0, 500);
  if (wanted.type === 'json_object') return '{}';
  const { name, schema, strict } = wanted.json_schema;
  if (strict) checkStrict(schema, name);
  return JSON.stringify(writeJson(schema, requested));
}

const tokensOf = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
