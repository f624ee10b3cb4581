import { buildApps } from '@fanfare/infra';
import { parseOptions, usage, type Options } from './options.ts';

const options = read();
if (options.help) {
  console.log(usage);
  process.exit(0);
}
try {
  await buildApps();
  // Only now the contracts have been generated that everything below it imports.
  const { bench } = await import('./bench.ts');
  console.log(await bench(options));
  process.exit(0);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

function read(): Options {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return process.exit(2);
  }
}
