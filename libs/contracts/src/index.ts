export { topics, type Codec, type Topic } from './topics.ts';
