import { z } from 'zod';
import type { ModelSettings, OpenAiClient } from '../../providers/openai-client.ts';
import { ProviderFailed } from '../../providers/provider-failed.ts';
import { ComposerFailed, NO_USAGE, type Usage, type Written } from '../composer.ts';
import { leaksRules, SYSTEM } from './prompts.ts';

type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

const MAX_OUTPUT_TOKENS = 4_000;
const WHO = 'The language model';

/** Requests JSON of a schema from a model. If the response does not match, requests it once more with the problem. */
export function createModelCaller(openai: OpenAiClient, { model }: ModelSettings) {
  /** For servers that do not support schemas, requests JSON without a schema. */
  let takesSchema = true;

  async function complete(schema: z.ZodType, name: string, messages: readonly Message[], signal: AbortSignal): Promise<Written<string>> {
    const format = takesSchema
      ? ({ type: 'json_schema', json_schema: { name, strict: true, schema: z.toJSONSchema(schema) as Record<string, unknown> } } as const)
      : ({ type: 'json_object' } as const);
    try {
      return await openai.call(async (client, options) => {
        const response = await client.chat.completions.create(
          { model, messages: [...messages], response_format: format, max_completion_tokens: MAX_OUTPUT_TOKENS },
          options,
        );
        const [choice] = response.choices;
        if (choice?.message.refusal || choice?.finish_reason === 'content_filter')
          throw new ProviderFailed(`${WHO} declined to write about this source.`, { isPassing: false });
        const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = response.usage ?? {};
        return { value: choice?.message.content ?? '', usage: { requests: 1, inputTokens, outputTokens } };
      }, signal);
    } catch (error) {
      const isAboutFormat = (error as { cause?: { status?: number; message?: string } }).cause;
      if (takesSchema && isAboutFormat?.status === 400 && /response_format|json_schema/i.test(isAboutFormat.message ?? '')) {
        takesSchema = false;
        return complete(schema, name, messages, signal);
      }
      throw error;
    }
  }

  /** @throws ComposerFailed */
  return async function callModel<T>(name: string, schema: z.ZodType<T>, user: string, signal: AbortSignal): Promise<Written<T>> {
    const messages: Message[] = [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: user },
    ];
    let usage = NO_USAGE;
    try {
      const first = await complete(schema, name, messages, signal);
      usage = first.usage;
      const read = readAs(schema, first.value);
      if ('value' in read) return { value: read.value, usage };
      const repair = `Your response did not match the schema: ${read.problem}. Respond again with one JSON object that does.`;
      const second = await complete(
        schema,
        name,
        [...messages, { role: 'assistant', content: first.value.slice(0, 8_000) }, { role: 'user', content: repair }],
        signal,
      );
      usage = sum(usage, second.usage);
      const again = readAs(schema, second.value);
      if ('value' in again) return { value: again.value, usage };
      throw new ComposerFailed(`${WHO} returned an invalid response twice.`, { isPassing: false, usage });
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error;
      const { message, isPassing, retryAfterMs } = error;
      throw new ComposerFailed(message, { isPassing, retryAfterMs, usage, cause: error });
    }
  };
}

function readAs<T>(schema: z.ZodType<T>, text: string): { readonly value: T } | { readonly problem: string } {
  if (leaksRules(text)) return { problem: 'it repeats the rules' };
  let json: unknown;
  try {
    // Some models put JSON into a code block.
    json = JSON.parse(text.replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, ''));
  } catch {
    return { problem: 'it is not JSON' };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  return { problem: problems.join('; ') };
}

const sum = (one: Usage, other: Usage): Usage => ({
  requests: one.requests + other.requests,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
});
