// One run for everything: unit tests stand beside their source (libs/*/src, apps/*/src), integration tests in apps/*/test and libs/*/test,
// the end-to-end run in apps/e2e. `npm test` starts real MongoDB and Kafka first and hands their addresses over in the environment.

// The transform emits CommonJS, so every dependency that ships only ES modules has to be transformed too.
const esmOnly = [
  'uuid',
  'thumbhash',
  '@tus',
  'srvx',
  'openid-client',
  'oauth4webapi',
  'jose',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer',
  '@borewit',
  'commander',
  'get-port',
  'better-auth',
  '@better-auth',
  'better-call',
  '@noble',
  'nanostores',
  'rou3',
  'thumbhash',
];

// mongodb loads `os` by a dynamic import, which jest's CommonJS realm cannot do.
const dynamicImports = ['mongodb/lib/runtime_adapters'];

export default {
  testEnvironment: '<rootDir>/libs/testing/jest-environment.mjs',
  // Whole platforms that end-to-end tests share; none is started before a test asks for it.
  globalSetup: '<rootDir>/apps/e2e/src/pool-setup.ts',
  globalTeardown: '<rootDir>/apps/e2e/src/pool-teardown.ts',
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  transform: {
    '^.+\\.[mc]?[tj]s$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } }],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/|${dynamicImports.join('|')})`],
  workerIdleMemoryLimit: '512MB',
  testTimeout: 240_000,
  // Every file's time is shown.
  slowTestThreshold: 0,
};
