import { statSync } from 'node:fs';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

export interface StartOptions {
  /** Undefined: the built-in one. */
  readonly caption: string | undefined;
  /** An absolute path. */
  readonly image: string | undefined;
  readonly demo: boolean;
  readonly fresh: boolean;
  readonly port: number | undefined;
}

const explanation = `
Starts MongoDB, Kafka and every service of Fanfare on this machine, publishes a post with a picture to the sandbox's pretend platforms, and keeps
running until Ctrl-C. Data is kept in .fanfare/ and used again by the next start.`;

/** Prints help, or what is wrong, and ends the process where the arguments ask for it. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const command = new Command('npm start --')
    .description(explanation.trim())
    .option('--caption <text>', 'publish this caption instead of the built-in one')
    .option('--image <file>', 'publish this picture instead of the built-in one', existingFile)
    .option('--no-demo', 'publish nothing')
    .option('--fresh', "wipe the data of earlier starts, the sandbox's included", false)
    .option('--port <number>', 'port of the API (default: 4400)', portNumber)
    .helpOption('-h, --help', 'show this')
    .allowExcessArguments(true)
    .showHelpAfterError('(npm start -- --help shows every option)')
    .parse([...args], { from: 'user' });
  const options = command.opts<StartOptions>();
  if (command.args.length > 0 || keptByNpm()) {
    command.error('error: Options stand behind two dashes, else npm keeps them: npm start -- --caption "…" --image photo.jpg');
  }
  if (!options.demo && (options.caption ?? options.image) !== undefined) {
    command.error('error: --no-demo publishes nothing, so it cannot stand beside --caption or --image.');
  }
  return options;
}

/** npm takes what stands before the dashes for its own settings, and hands those to us in the environment. */
function keptByNpm(): boolean {
  return ['caption', 'image', 'demo', 'fresh', 'port'].some((name) => process.env[`npm_config_${name}`] !== undefined);
}

function existingFile(value: string): string {
  // npm runs us in the repository's root; a relative path is meant from where the command was typed.
  const file = path.resolve(process.env['INIT_CWD'] ?? '.', value);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new InvalidArgumentError(`There is no file ${file}.`);
  return file;
}

function portNumber(value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidArgumentError('It must be a number from 1 to 65535.');
  return port;
}
