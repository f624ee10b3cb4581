import { conversationsOf, everyPlatform } from '../test/conversations.ts';
import { describeContract } from '../test/describe-contract.ts';
import { connectorFor } from './registry.ts';

for (const platform of everyPlatform) describeContract(platform, connectorFor(platform), conversationsOf(platform));
