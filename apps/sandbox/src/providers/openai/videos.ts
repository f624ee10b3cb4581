import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Sandbox } from '../../platforms/platform.ts';
import type { World } from '../../world/world.ts';
import type { Call } from '../../wire/call.ts';
import { file, json, type Reply } from '../../wire/reply.ts';
import { invalid, unknownModel, unknownVideo } from './errors.ts';
import { bodyOf } from './openai-operation.ts';

/** The simulated part of https://platform.openai.com/docs/api-reference/videos/create. */
const request = z.strictObject({
  model: z.string().min(1).default('sora-2'),
  prompt: z.string().min(1).max(32_000),
  seconds: z.enum(['4', '8', '12']).default('4'),
  size: z.enum(['720x1280', '1280x720', '1024x1792', '1792x1024']).default('720x1280'),
});

interface Video {
  id: string;
  model: string;
  seconds: string;
  size: string;
  created_at: number;
  ready_at: number;
  error: string | null;
}

const videos = (world: World) => world.table<Video>('openai.videos');

export function createVideo(call: Call, { world, config }: Sandbox): Reply {
  const { model, seconds, size } = bodyOf(request, call);
  if (!model.startsWith('sora-')) throw unknownModel(model);
  const { ms = config.processingMs, error } = call.processing;
  const video: Video = {
    ...{ id: `video_${world.nextNumber()}`, model, seconds, size },
    created_at: world.now(),
    ready_at: world.now() + ms,
    error: error ? (error.message ?? 'Your request was blocked by our moderation system.') : null,
  };
  videos(world).set(video.id, video);
  world.touched();
  return json(200, shown(video, world));
}

export const getVideo = (call: Call, { world }: Sandbox): Reply => json(200, shown(find(call, world), world));

export async function getVideoContent(call: Call, { world }: Sandbox): Promise<Reply> {
  const video = find(call, world);
  if (stateOf(video, world) !== 'completed') throw invalid('Video is not ready yet, use GET /v1/videos/{video_id} to check status.', null);
  return file('video/mp4', await render(video));
}

function find({ params }: Call, world: World): Video {
  const id = params['video_id'] ?? '';
  const video = videos(world).get(id);
  if (!video) throw unknownVideo(id);
  return video;
}

function stateOf({ ready_at, error }: Video, world: World): 'in_progress' | 'failed' | 'completed' {
  if (world.now() < ready_at) return 'in_progress';
  return error === null ? 'completed' : 'failed';
}

function shown(video: Video, world: World) {
  const status = stateOf(video, world);
  return {
    ...{ id: video.id, object: 'video', model: video.model, seconds: video.seconds, size: video.size, status },
    created_at: Math.floor(video.created_at / 1000),
    completed_at: status === 'completed' ? Math.floor(video.ready_at / 1000) : null,
    expires_at: null,
    progress: status === 'in_progress' ? 0 : 100,
    remixed_from_video_id: null,
    error: status === 'failed' ? { code: 'moderation_blocked', message: video.error } : null,
  };
}

/** Moving colours, made by ffmpeg: the only part of the sandbox that needs a program. */
async function render({ seconds, size }: Video): Promise<Buffer> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'fanfare-sandbox-video-'));
  try {
    const target = path.join(directory, 'video.mp4');
    const source = `gradients=size=${size}:rate=24:duration=${seconds}:speed=0.03:seed=7`;
    const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, ...encoding, '-threads', '1', target]);
    return await readFile(target);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
