import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

const banImports = (...paths) => ['error', { paths: paths.map(([name, message]) => ({ name, message })) }];
const kafkajsIsWrapped = ['kafkajs', 'Kafka is reached through @fanfare/events only.'];
const expressIsTheGateways = ['express', 'Only the gateway speaks HTTP to callers; a service speaks gRPC.'];

const configAloneReadsTheEnvironment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only config.ts reads the environment; take what you need from the config.',
};
const storesAloneOpenCollections = {
  selector: "CallExpression[callee.property.name='collection']",
  message: 'Only a file in store/ opens a collection; add a function there.',
};

// Machines disagree about the time; callers are told the database's, and rules decide by it.
const askTheClock = 'Take the time from @fanfare/runtime: currentTime(), currentMs(), or now(organization) in rules about posts.';
const clockAloneTellsTheTime = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: askTheClock },
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: askTheClock },
];
const services = ['analytics', 'content', 'gateway', 'generation', 'library', 'publisher', 'webhooks'];

// The main parts of the gateway, each of which imports only those before it: the framework knows nothing of the API that is written in it.
// apps/e2e/test/folders.test.ts checks the order of all parts.
const gatewayParts = ['text', 'accounts', 'http', 'bytes', 'api', 'pages'];
const accountsHasAnIndex = { regex: '^(\\.{1,2}/)+accounts/(?!index\\.ts$)', message: 'Take it from accounts/index.ts.' };
const banInGateway = (...patterns) => [
  'error',
  { paths: [{ name: kafkajsIsWrapped[0], message: kafkajsIsWrapped[1] }], patterns: [accountsHasAnIndex, ...patterns] },
];

// Node's own undici ends the process when a server closes at the wrong moment (libs/runtime/src/http-client.ts).
const pinnedClient = "Take it from @fanfare/runtime/http-client: connections of Node's own undici can end the process.";
const reachesNodesUndici = ['fetch', 'WebSocket', 'EventSource'];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/gen/**', '**/*.mjs', '**/*.cjs'] },
  // Rules that need types are oxlint's (.oxlintrc.json).
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          allow: [],
          // Tests of these libraries use @fanfare/testing, which is made of them; their sources never import it (layers, below).
          ignoredCircularDependencies: ['runtime', 'rpc', 'events', 'mongo'].map((library) => ['testing', library]),
          depConstraints: [
            { sourceTag: 'layer:base', onlyDependOnLibsWithTags: ['layer:base'] },
            // What customers install: nothing of ours is in it.
            { sourceTag: 'layer:sdk', onlyDependOnLibsWithTags: ['layer:sdk'], allowedExternalImports: ['standardwebhooks'] },
            { sourceTag: 'layer:runtime', onlyDependOnLibsWithTags: ['layer:base', 'layer:runtime'] },
            { sourceTag: 'layer:adapter', onlyDependOnLibsWithTags: ['layer:base', 'layer:runtime'] },
            { sourceTag: 'layer:app', onlyDependOnLibsWithTags: ['layer:base', 'layer:runtime', 'layer:adapter'] },
            { sourceTag: 'layer:stack', onlyDependOnLibsWithTags: ['layer:base', 'layer:runtime', 'layer:adapter'] },
            { sourceTag: 'layer:tool', onlyDependOnLibsWithTags: ['layer:base', 'layer:runtime', 'layer:adapter', 'layer:stack'] },
            { sourceTag: 'kind:service', bannedExternalImports: ['express', 'kafkajs'] },
            { sourceTag: 'kind:gateway', bannedExternalImports: ['kafkajs'] },
            { sourceTag: 'layer:testing', onlyDependOnLibsWithTags: ['layer:base', 'layer:runtime', 'layer:adapter', 'layer:testing'] },
            {
              sourceTag: 'layer:e2e',
              onlyDependOnLibsWithTags: ['layer:base', 'layer:runtime', 'layer:adapter', 'layer:stack', 'layer:testing', 'layer:sdk'],
            },
          ],
        },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': ['error', configAloneReadsTheEnvironment, storesAloneOpenCollections],
      'no-restricted-imports': banImports(kafkajsIsWrapped, expressIsTheGateways),
    },
  },
  {
    // What runs in production, and by npm start. Customers of the SDK have a fetch of their own.
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: ['**/*.test.ts', 'apps/bench/**', 'apps/e2e/**', 'libs/sdk/**'],
    rules: {
      'no-restricted-globals': ['error', ...reachesNodesUndici.map((name) => ({ name, message: pinnedClient }))],
      'no-restricted-properties': [
        'error',
        ...['globalThis', 'global'].flatMap((object) =>
          reachesNodesUndici.map((property) => ({ object, property, message: pinnedClient })),
        ),
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: ['**/*.test.ts', 'apps/bench/**', 'libs/runtime/src/http-client.ts', 'libs/guarded-http/src/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [{ name: 'undici', importNames: ['fetch', 'request', 'stream', 'pipeline'], message: pinnedClient }] },
      ],
    },
  },
  {
    files: ['apps/sandbox/src/**/*.ts', 'apps/bench/src/**/*.ts'],
    rules: { 'no-restricted-imports': banImports(kafkajsIsWrapped) },
  },
  { files: ['apps/gateway/src/**/*.ts'], rules: { 'no-restricted-imports': banInGateway() } },
  ...gatewayParts.slice(0, -1).map((part, at) => ({
    files: [`apps/gateway/src/${part}/**/*.ts`],
    rules: {
      'no-restricted-imports': banInGateway({
        regex: `^(\\.{1,2}/)+(${gatewayParts.slice(at + 1).join('|')})/`,
        message: `The gateway's parts import only those before them: ${gatewayParts.join(', ')}.`,
      }),
    },
  })),
  { files: ['libs/events/src/**/*.ts'], rules: { 'no-restricted-imports': banImports(expressIsTheGateways) } },
  {
    files: [
      '**/config.ts',
      'apps/*/src/migrate.ts',
      'libs/runtime/src/telemetry/tracing.ts',
      'apps/dev/src/**/*.ts',
      'libs/infra/src/**/*.ts',
      'libs/testing/src/**/*.ts',
      'apps/e2e/src/**/*.ts',
      'apps/bench/src/**/*.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', storesAloneOpenCollections] },
  },
  {
    files: [
      ...['apps/*/src/**/store/**/*.ts', 'libs/mongo/src/**/*.ts', 'libs/events/src/store/**/*.ts', 'libs/ledger/src/store/**/*.ts'],
      ...['libs/erasure/src/store/**/*.ts', 'libs/test-clock/src/store/**/*.ts', 'libs/testing/src/store/**/*.ts'],
    ],
    rules: { 'no-restricted-syntax': ['error', configAloneReadsTheEnvironment] },
  },
  {
    files: services.map((name) => `apps/${name}/src/**/*.ts`),
    ignores: ['**/config.ts', 'apps/*/src/migrate.ts', '**/store/**'],
    rules: { 'no-restricted-syntax': ['error', configAloneReadsTheEnvironment, storesAloneOpenCollections, ...clockAloneTellsTheTime] },
  },
  {
    files: services.map((name) => `apps/${name}/src/**/store/**/*.ts`),
    rules: { 'no-restricted-syntax': ['error', configAloneReadsTheEnvironment, ...clockAloneTellsTheTime] },
  },
  {
    // Integration tests may look into a database that they own.
    files: ['**/*.test.ts', '**/test/**/*.ts'],
    rules: {
      'no-restricted-syntax': 'off',
      '@nx/enforce-module-boundaries': 'off',
    },
  },
);
