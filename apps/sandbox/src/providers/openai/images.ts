import { z } from 'zod';
import type { Sandbox } from '../../platforms/platform.ts';
import type { Call } from '../../wire/call.ts';
import { json, type Reply } from '../../wire/reply.ts';
import { drawImage } from '../draw-image.ts';
import { unknownModel } from './errors.ts';
import { bodyOf } from './openai-operation.ts';

/** The simulated part of https://platform.openai.com/docs/api-reference/images/create. */
const request = z.strictObject({
  model: z.string().min(1),
  prompt: z.string().min(1).max(32_000),
  n: z.literal(1).default(1),
  size: z.enum(['1024x1024', '1536x1024', '1024x1536', 'auto']).default('auto'),
  quality: z.enum(['low', 'medium', 'high', 'auto']).optional(),
  output_format: z.literal('png').optional(),
  user: z.string().optional(),
});

export async function createImage(call: Call, { world }: Sandbox): Promise<Reply> {
  const { model, prompt, size } = bodyOf(request, call);
  if (!model.startsWith('gpt-image-')) throw unknownModel(model);
  const [width = 1024, height = 1024] = size === 'auto' ? [] : size.split('x').map(Number);
  const bytes = await drawImage(prompt, width, height).png().toBuffer();
  return json(200, {
    created: Math.floor(world.now() / 1000),
    data: [{ b64_json: bytes.toString('base64') }],
    usage: { input_tokens: Math.ceil(prompt.length / 4), output_tokens: 1_056, total_tokens: Math.ceil(prompt.length / 4) + 1_056 },
  });
}
