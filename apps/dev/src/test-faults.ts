import { parseFaultOptions } from './tests/fault-options.ts';

// These are tests like all others, which read from the environment how much they do.
try {
  const { args, env } = parseFaultOptions(process.argv.slice(2));
  Object.assign(process.env, env);
  process.argv.splice(2, Infinity, ...args);
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
await import('./test.ts');
