import { parseArgs } from 'node:util';
import { idleMemory } from './idle-memory.ts';
import { publishLatency } from './publish-latency.ts';
import { findOrStartPlatform } from './platform.ts';
import { report } from './report.ts';

const usage = `usage: npm run bench [-- --posts 50] [--json]

Measures the platform that npm start runs in this folder, or one that it starts and stops itself.

  --posts <n>   how many text posts are published and timed, after 5 that are not (default: 50)
  --json        print the numbers as JSON only`;

const { values } = parseOptions();
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const posts = Number(values.posts);
if (!Number.isInteger(posts) || posts < 1) fail('--posts must be a whole number from 1.');

const platform = await findOrStartPlatform((line) => console.error(line)).catch((error: unknown) => fail((error as Error).message));
try {
  const memoryMb = await idleMemory(platform.dev.processes);
  const publishMs = await publishLatency(platform.dev, posts);
  console.log(report({ memoryMb, publishMs }, values.json));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await platform.stop();
}
process.exit();

function parseOptions() {
  try {
    return parseArgs({
      options: {
        posts: { type: 'string', default: '50' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
