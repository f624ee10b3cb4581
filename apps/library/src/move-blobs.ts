import { connectMongo } from '@fanfare/mongo';
import { createLogger } from '@fanfare/runtime';
import { loadConfig } from './config.ts';
import { moveBlobs } from './blobs/move-blobs.ts';
import { createGridFs } from './blobs/store/grid-fs.ts';
import { openBucket } from './blobs/store/s3-bucket.ts';
import { createS3 } from './blobs/store/s3.ts';

// Copies all blobs from GridFS to S3, with the settings of the library, while it serves. Can be stopped and run again at any time.
const config = loadConfig();
const log = createLogger('move-blobs', config.logLevel);
if (!config.blobs.s3) throw new Error('Set S3_BUCKET to the bucket to move to.');
const mongo = await connectMongo({ ...config.mongo, service: 'move-blobs' });
const to = createS3(mongo.db, openBucket(config.blobs.s3));
try {
  await moveBlobs({ db: mongo.db, from: createGridFs(mongo.db), to, log });
} finally {
  to.close();
  await mongo.close();
}
