import { conversationsOf, everyPlatform } from '../test/conversations/conversations.ts';
import { describeContract } from '../test/describe-contract.ts';
import { connectorFor } from './registry.ts';

test.each(everyPlatform)('the rules of %s name the options that the connector lists values of', (platform) => {
  const { choices = {}, optionsWithChoices = [] } = connectorFor(platform);
  expect(optionsWithChoices).toEqual(Object.keys(choices));
});

for (const platform of everyPlatform) describeContract(platform, connectorFor(platform), conversationsOf(platform));
