/** How to install our client libraries, in Markdown: the docs page shows it instead of a list of HTTP clients. */
export const CLIENT_LIBRARIES = [
  {
    lang: 'TypeScript',
    description: `
\`@fanfare/sdk\`, for Node 22 and newer and for browsers, has types for every operation. It is not on a registry yet: make the package in a clone of the repository.

\`\`\`sh
npx nx run sdk:build && npm pack ./libs/sdk/dist
\`\`\`

Then install the file in your project:

\`\`\`sh
npm install ./fanfare-sdk-*.tgz
\`\`\`
`.trim(),
  },
];
