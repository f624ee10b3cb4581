import path from 'node:path';
import { probeRecording } from './probe-recording.ts';

test('a file for which ffprobe exceeds its limits is rejected', async () => {
  const clip = path.join(import.meta.dirname, '../../../test/fixtures/clip.mp4');
  const starving = probeRecording(clip, 'video/mp4', ['/bin/sh', '-c', 'kill -XCPU $$']);
  await expect(starving).rejects.toMatchObject({ name: 'MediaRejected', message: expect.stringContaining('memory or time') });
});
