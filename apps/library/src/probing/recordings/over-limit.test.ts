import path from 'node:path';
import { probeRecording } from './probe-recording.ts';

test('ffprobe that runs into its limits says so of the file', async () => {
  const clip = path.join(import.meta.dirname, '../../../test/fixtures/clip.mp4');
  const starving = probeRecording(clip, 'video/mp4', ['/bin/sh', '-c', 'kill -XCPU $$']);
  await expect(starving).rejects.toMatchObject({ name: 'MediaRejected', message: expect.stringContaining('memory or time') });
});
