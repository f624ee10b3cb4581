import { statSync } from 'node:fs';
import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';

export interface StartOptions {
  /** Undefined: the built-in one. */
  readonly caption: string | undefined;
  /** An absolute path. */
  readonly image: string | undefined;
  readonly demo: boolean;
  /** An idea that drafts are generated from instead of the demo. */
  readonly generate: string | undefined;
  /** The composer of the drafts. */
  readonly composer: 'embedded' | 'sandbox';
  /** Whether the canary publishes a post every minute. */
  readonly canary: boolean;
  readonly fresh: boolean;
  readonly port: number | undefined;
  /** Moves every port that is not set explicitly. */
  readonly portOffset: number;
}

/** `help/start.txt` explains the options; bootstrap.mjs shows it before packages are installed. */
export const startCommand = () =>
  new Command('npm start --')
    .option('--caption <text>')
    .option('--image <file>', '', existingFile)
    .option('--no-demo')
    .option('--generate <idea>', '', someText)
    .addOption(new Option('--composer <name>').choices(['embedded', 'sandbox']).default('embedded'))
    .option('--canary', '', false)
    .option('--fresh', '', false)
    .option('--port <number>', '', portNumber)
    .option('--port-offset <number>', '', portOffset, 0);

/** If the options are invalid, prints why and exits. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const command = startCommand()
    .helpOption(false)
    .allowExcessArguments(true)
    .showHelpAfterError('(npm start -- --help lists all options)')
    .parse([...args], { from: 'user' });
  const options = command.opts<StartOptions>();
  if (command.args.length > 0 || keptByNpm()) {
    command.error('error: Put options after two dashes, or npm reads them: npm start -- --caption "…" --image photo.jpg');
  }
  if (!options.demo && (options.caption ?? options.image) !== undefined) {
    command.error('error: --no-demo publishes nothing, so it cannot be combined with --caption or --image.');
  }
  if (options.generate !== undefined && (!options.demo || (options.caption ?? options.image) !== undefined)) {
    command.error('error: --generate makes drafts and publishes nothing, so it cannot be combined with --caption, --image or --no-demo.');
  }
  return options;
}

/** npm reads options before the two dashes as its own settings, and passes them on in the environment. */
function keptByNpm(): boolean {
  return ['caption', 'image', 'demo', 'generate', 'composer', 'canary', 'fresh', 'port', 'port_offset'].some(
    (name) => process.env[`npm_config_${name}`] !== undefined,
  );
}

function someText(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('Enter a topic for the posts, such as "a bakery in Lisbon".');
  return value;
}

function existingFile(value: string): string {
  // npm runs this in the root of the repository; a relative path is relative to the folder in which the command was typed.
  const file = path.resolve(process.env['INIT_CWD'] ?? '.', value);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new InvalidArgumentError(`There is no file ${file}.`);
  return file;
}

function portNumber(value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidArgumentError('It must be a number from 1 to 65535.');
  return port;
}

function portOffset(value: string): number {
  const offset = Number(value);
  if (!Number.isInteger(offset) || offset < 0) throw new InvalidArgumentError('It must be a whole number from 0.');
  return offset;
}
